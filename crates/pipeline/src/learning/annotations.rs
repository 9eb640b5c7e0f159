//! Annotated lines: a move's mark is what a user wants of it (seed Terra, C7).

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use learn::annotations::{UserSetting, user_value};
use pgn::{
    annotated::{AnnotatedGame, AnnotatedOptions, AnnotatedReader},
    filter::day_of,
    input::Place,
    verdict::Verdict,
};
use position::{Key, Kind, Lesson, PackedMove, Taught};
use table::ExperienceFile;

use super::{
    lay::{Ground, lay},
    lessons::{Change, What},
    reading::{Rejections, chunk_options, show_progress},
    tallies::Tallies,
};
use crate::{Context, Result, stages::ObservationStream};

/// How a line is listed of which only the moves before something that is no legal move count.
const CUT: &str = "cut";

/// The last mark of each move, and who set it.
type Marks = BTreeMap<(Key, PackedMove), (u8, Vec<Taught>)>;

/// A game that could not be read: place and number, ply, reason, text.
type Rejected = ((Place, u64), Option<u32>, &'static str, String);

/// Takes the marks of annotated games as values set by hand, the last of each move, and writes them to `output`.
pub(crate) fn learn_annotations(
    context: &Context,
    stream: &ObservationStream,
    old: Option<&PathBuf>,
    output: &Path,
) -> Result<()> {
    let old = old.map(|path| ExperienceFile::open(path)).transpose()?;
    let inputs = context.inputs(pgn::input::expand(&stream.games.settings.paths)?);
    let limit = stream.games.settings.limit;
    let options = AnnotatedOptions { replay: stream.options.clone(), loose: true };
    context.progress.enter("reading", 0);
    let mut reader = AnnotatedReader::open(inputs, &chunk_options(context, limit), &options)?;
    let (mut marks, mut tallies, mut rejected) = (Marks::new(), Tallies::default(), Vec::new());
    while let Some(batch) = reader.next() {
        let batch = batch?;
        context.check_cancelled()?;
        let games = batch.games().map(|game| take(&game, &mut marks, &mut tallies, &mut rejected)).count();
        show_progress(context, reader.progress(), games as u64);
    }
    let sources = reader.finish();
    let mut rejections = Rejections::create(context, stream.rejects.as_deref())?;
    for (place, ply, reason, text) in &rejected {
        rejections.push(&sources, *place, *ply, reason, text)?;
    }
    rejections.finish(context)?;
    let cut = rejected.iter().filter(|(.., reason, _)| *reason == CUT).count();
    if cut > 0 {
        context.report().warnings.push(format!(
            "{cut} annotated lines hold something that is no legal move; what comes before it counts, --rejects lists them"
        ));
    }
    tallies.report(context, &sources);
    let sources = tallies.sources(&sources, "annotations");
    let ground = Ground { old: old.as_ref(), table: None, book: None, sources };
    let stats = lay(context, &ground, marks.into_iter().map(change), output)?;
    context.report().experience_rows = stats.rows;
    Ok(())
}

fn take(game: &AnnotatedGame<'_>, marks: &mut Marks, tallies: &mut Tallies, rejected: &mut Vec<Rejected>) {
    let input = game.place.input;
    match game.verdict {
        Verdict::Filtered(filter) => tallies.idle(input, filter.name()),
        Verdict::Rejected(rejection) => {
            let reason = rejection.reason.name();
            tallies.rejected(input, reason);
            let place = (game.place, game.number);
            rejected.push((place, rejection.ply, reason, rejection.text.clone()));
        }
        Verdict::Accepted { plies, cut } => {
            if *cut {
                rejected.push(((game.place, game.number), Some(plies + 1), CUT, String::new()));
            }
            let taught = Taught {
                source: input,
                lesson: Lesson::Set,
                count: 1,
                last: day_of(&game.tags).unwrap_or(0),
            };
            let marked = game.plies.iter().filter_map(|ply| Some((ply, ply.notes.nag?)));
            let mut any = false;
            for (ply, nag) in marked.filter(|(_, nag)| user_value(*nag).is_some()) {
                let (mark, sources) = marks.entry((ply.key, ply.mv)).or_default();
                *mark = nag;
                *sources = crate::experience::join_taught(sources, &[taught]);
                any = true;
            }
            if any { tallies.taught(input) } else { tallies.idle(input, "no-mark") }
        }
    }
}

fn change(((key, mv), (nag, taught)): ((Key, PackedMove), (u8, Vec<Taught>))) -> Change {
    let what = What::Set { setting: Some(UserSetting::Nag(nag)), priority: None };
    Change { key, mv, kind: Kind::Book, what, taught }
}
