//! The lines of all shards of a count, read either from standard input or from the folder of parts.

use std::{collections::BTreeMap, io::BufRead, path::Path};

use fault::FileFault;
use run::{Error, Result};

use super::{
    ClusterError,
    parts::{LINE_ENDING, Parts},
    shard_entry::{CountedGames, ShardLine},
};

/// Reads lines from standard input.
pub(super) fn read(input: &mut dyn BufRead) -> impl Iterator<Item = Result<ShardLine>> + '_ {
    let numbered = input.lines().zip(1..).map(|(line, number)| (line, format!("line {number}")));
    let parse = |(line, named): (std::io::Result<String>, String)| {
        let text = line.map_err(|source| FileFault::new("read", "standard input", source))?;
        if text.trim().is_empty() { Ok(None) } else { Ok(Some(ShardLine::parse(&text, named)?)) }
    };
    numbered.map(parse).filter_map(Result::transpose)
}

/// Reads the lines of all parts in the folder, and returns them by shard. If several attempts at a shard left
/// lines, the line whose file name sorts first is used; any of these lines would do, because all attempts
/// make the same part. The path in a line is ignored, because the part may have been moved to this folder
/// after the line was written.
pub(super) fn waiting(parts: &Parts) -> Result<BTreeMap<u32, ShardLine>> {
    let there = parts.list_parts()?;
    let mut names: Vec<_> = parts.list()?.into_iter().map(|(name, _)| name).collect();
    names.retain(|name| Path::new(name).extension().is_some_and(|ending| ending == LINE_ENDING));
    names.sort();
    let read = |number: u32| {
        let name = &names[number as usize];
        let mut line = ShardLine::parse(&parts.read(name)?, name)?;
        line.path = parts.part_of(&line, name)?;
        Ok(line)
    };
    let lines: Result<Vec<ShardLine>> =
        table::for_each_shard(parts.place().threads(), names.len() as u32, || Ok(()), |_| false, read);
    let mut shards = BTreeMap::new();
    for line in lines? {
        if there.get(line.path.file_name()) == Some(&line.part.bytes) {
            shards.entry(line.shard).or_insert(line);
        }
    }
    Ok(shards)
}

/// Checks that there is exactly one line for every shard of a single job. Returns the lines in the order of
/// their shards, along with the counted games that the line of shard 0 describes.
pub(super) fn of_one_job(
    lines: impl Iterator<Item = Result<ShardLine>>,
) -> Result<(Vec<ShardLine>, CountedGames)> {
    let mut shards: BTreeMap<u32, ShardLine> = BTreeMap::new();
    let mut counted = None;
    for line in lines {
        let mut line = line?;
        if let Some(known) = shards.values().next()
            && (&known.job, known.of) != (&line.job, line.of)
        {
            let (one, other) = (known.shard, line.shard);
            let why = format!("shards {one} and {other} belong to different counts");
            return Err(lines_error(why));
        }
        counted = line.counted.take().or(counted);
        let shard = line.shard;
        if shards.insert(shard, line).is_some() {
            return Err(lines_error(format!("shard {shard} occurs twice")));
        }
    }
    let of = shards.values().next().map_or(1, |line| line.of);
    if let Some(missing) = (0..of).find(|shard| !shards.contains_key(shard)) {
        return Err(lines_error(format!("shard {missing} of {of} is missing")));
    }
    match counted {
        Some(counted) if shards.len() == of as usize => Ok((shards.into_values().collect(), counted)),
        Some(_) => Err(lines_error(format!("there are more than {of} shards"))),
        None => Err(lines_error("the line of shard 0 does not contain what was counted".into())),
    }
}

pub(super) fn lines_error(why: String) -> Error {
    ClusterError::Lines(why).into()
}
