//! The place in a store where a commit publishes a table. Even before the commit, the parts of the table are
//! there under their final names. The commit turns the parts into a table by writing the manifest, unless
//! another manifest has been written there since the commit began.

use std::collections::BTreeSet;

use fault::Exists;
use run::Result;
use store::{ObjectVersion, Url};
use table::{
    MANIFEST_NAME, Manifest, OLD_MANIFEST_NAME, ShardInfo, fingerprints_name, job_of_part, roots_name,
};

use super::{ClusterError, Place};

/// The object by which a commit claims a table, so that no other commit can write it. It contains the job's
/// number.
const CLAIM: &str = "_commit";

/// A table's URL, and the manifest that was there when the commit began.
#[derive(Debug)]
pub(super) struct StoredPlace<'u> {
    /// The table.
    pub(super) url: &'u Url,
    job: String,
    claim: Url,
    manifest: Url,
    /// The manifest that the commit may replace; `None` if there was none, or if it must not be replaced.
    old: Option<ObjectVersion>,
}

impl<'u> StoredPlace<'u> {
    /// Checks whether there is already a table at `url`.
    ///
    /// # Errors
    ///
    /// Fails with [`Exists`] if there is a table that must not be replaced, unless an interrupted commit of
    /// this job may have written it.
    pub(super) fn look(url: &'u Url, job: &str, force: bool) -> Result<Self> {
        let (claim, manifest) = (url.join(CLAIM)?, url.join(MANIFEST_NAME)?);
        let old = store::version(&manifest)?;
        let is_there = old.is_some() || store::exists(&url.join(OLD_MANIFEST_NAME)?)?;
        if is_there && !force && !is_claimed(&claim, job)? {
            return Err(exists(url));
        }
        Ok(Self { url, job: job.to_owned(), claim, manifest, old: old.filter(|_| force) })
    }

    /// Whether a part is in the table's folder.
    pub(super) fn has(&self, part: &Place) -> bool {
        matches!(part, Place::Store(part) if part.parent().as_ref() == Some(self.url))
    }

    /// Writes the manifest, then removes every part that it does not name. If a commit dies, it can be
    /// finished by running it again.
    ///
    /// # Errors
    ///
    /// Fails with [`ClusterError::Claimed`] if another commit is writing here, and with [`Exists`] if another
    /// commit has written here in the meantime.
    pub(super) fn publish(&self, (manifest, text): (&Manifest, String)) -> Result<()> {
        if !store::put_new(&self.claim, self.job.clone().into())? {
            return Err(ClusterError::Claimed(self.claim.to_string()).into());
        }
        let is_ours = match &self.old {
            Some(old) => store::put_over(&self.manifest, text.into(), old)?,
            None => store::put_new(&self.manifest, text.into())?,
        };
        if !is_ours {
            store::delete(&self.claim)?;
            return Err(exists(self.url));
        }
        let there = store::list(self.url)?;
        let names: Vec<_> = there.iter().map(|(name, _)| name.as_str()).collect();
        let left = left_over(&names, &self.job, &manifest.shards, manifest.fingerprints.is_some());
        let left = left.map(|name| self.url.join(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(store::delete_all(&left)?)
    }

    /// Removes the claim, so that other commits can write here.
    pub(super) fn release(self) -> Result<()> {
        Ok(store::delete(&self.claim)?)
    }
}

fn is_claimed(claim: &Url, job: &str) -> Result<bool> {
    Ok(store::exists(claim)? && store::get(claim)? == job.as_bytes())
}

fn exists(url: &Url) -> run::Error {
    Exists { path: url.to_string().into() }.into()
}

/// The objects in a table's folder that are no longer needed, which are a manifest in an old format and parts
/// that do not belong to the table. Parts of another job are still needed as long as the folder with that
/// job's lines exists.
fn left_over<'n>(
    names: &[&'n str],
    job: &str,
    parts: &[ShardInfo],
    has_fingerprints: bool,
) -> impl Iterator<Item = &'n str> {
    let of_table =
        |part: &ShardInfo| [Some(part.part.clone()), part.roots.as_ref().map(|_| roots_name(&part.part))];
    let mut kept: BTreeSet<String> = parts.iter().flat_map(of_table).flatten().collect();
    kept.extend(has_fingerprints.then(|| fingerprints_name(&parts[0].part)));
    let folders = names.iter().filter_map(|name| name.strip_prefix('.')?.split_once(".parts/"));
    let jobs = folders.filter_map(|(folder, _)| folder.split('-').next());
    let waiting: BTreeSet<&str> = jobs.filter(|other| *other != job).collect();
    let is_left_over = |name: &&str| {
        let is_part = ["part-", "_roots/", "_fingerprints"].iter().any(|start| name.starts_with(start));
        let is_waiting = job_of_part(name).is_some_and(|job| waiting.contains(job));
        *name == OLD_MANIFEST_NAME || is_part && !is_waiting && !kept.contains(*name)
    };
    names.iter().copied().filter(is_left_over).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use position::{Key, Tally};
    use table::RootsInfo;

    use super::*;

    fn part(name: &str, roots: Option<RootsInfo>) -> ShardInfo {
        ShardInfo {
            part: name.into(),
            first: Key(0),
            last: Key(0),
            rows: 0,
            tally: Tally::default(),
            ratings: None,
            bytes: 0,
            xxh3: String::new(),
            roots,
        }
    }

    #[test]
    fn parts_that_neither_the_table_nor_a_run_has_are_left_over() {
        let roots = RootsInfo { roots: 1, tally: Tally::default(), xxh3: String::new() };
        let parts =
            [part("part-00000-00000001.parquet", Some(roots)), part("part-00001-00000001.parquet", None)];
        let kept = [
            "part-00000-00000001.parquet",
            "part-00001-00000001.parquet",
            "_roots/part-00000-00000001",
            "part-00000-00000002.parquet",
            "_roots/part-00003-00000002",
            ".00000002-2.parts/part-00003.a.json",
            ".00000001.parts/part-00000.a.json",
            "_manifest.json",
            "_commit",
            "notes.txt",
        ];
        let left = [
            "_roots/part-00001-00000001",
            "part-00002-00000001.parquet",
            "part-00000-00000003.parquet",
            "_roots/part-00000",
            "part-00000.parquet",
            "manifest.json",
        ];
        let names = [&kept[..], &left[..]].concat();
        let found: Vec<_> = left_over(&names, "00000001", &parts, false).collect();
        assert_eq!(found, left);
        let names = ["_fingerprints", "_fingerprints-00000001", "_fingerprints-00000003"];
        let found: Vec<_> = left_over(&names, "00000001", &parts, true).collect();
        assert_eq!(found, ["_fingerprints", "_fingerprints-00000003"]);
    }
}
