//! Annotated lines: a move's mark is what a user wants of it (seed Terra, C7).

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use learn::annotations::{UserSetting, user_value};
use pgn::{
    annotated::{AnnotatedGame, AnnotatedOptions, AnnotatedReader},
    filter::day_of,
    verdict::Verdict,
};
use position::{Key, Kind, Lesson, PackedMove, Taught};
use table::ExperienceFile;

use super::{
    lay::{Ground, lay},
    lessons::{Change, What},
    reading::{chunk_options, show_progress},
    tallies::Tallies,
};
use crate::{
    Context, Result,
    rejects::{Fate, WaitingRejects},
    stages::ObservationStream,
};

/// How a line is listed of which only the moves before something that is no legal move count.
const CUT: &str = "cut";

/// The last mark of each move, and who set it.
type Marks = BTreeMap<(Key, PackedMove), (u8, Vec<Taught>)>;

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
    let mut met = Met::new(context, stream);
    while let Some(batch) = reader.next() {
        let batch = batch?;
        context.check_cancelled()?;
        let games = batch.games().map(|game| met.take(&game)).sum::<Result<u64>>()?;
        show_progress(context, reader.progress(), games);
    }
    let sources = reader.finish();
    let Met { marks, mut tallies, rejects, cut } = met;
    rejects.finish(context, &sources)?;
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

/// What was met so far.
struct Met {
    marks: Marks,
    tallies: Tallies,
    rejects: WaitingRejects,
    /// Lines of which only the beginning counts.
    cut: u64,
}

impl Met {
    fn new(context: &Context, stream: &ObservationStream) -> Self {
        let rejects = WaitingRejects::new(context, stream);
        Self { marks: Marks::new(), tallies: Tallies::default(), rejects, cut: 0 }
    }

    /// Takes what a game says; 1, to be counted.
    fn take(&mut self, game: &AnnotatedGame<'_>) -> Result<u64> {
        let input = game.place.input;
        self.rejects.note(game)?;
        match game.verdict {
            Verdict::Filtered(filter) => self.tallies.idle(input, filter.name()),
            Verdict::Rejected(rejection) => self.tallies.rejected(input, rejection.reason.name()),
            Verdict::Accepted { plies, cut } => {
                if *cut {
                    self.cut += 1;
                    self.rejects
                        .push(game, Fate::Rejected { ply: Some(plies + 1), reason: CUT, text: "" })?;
                }
                if self.mark(game) {
                    self.tallies.taught(input);
                } else {
                    self.tallies.idle(input, "no-mark");
                }
            }
        }
        Ok(1)
    }

    /// Takes the marks of a game; whether there is any.
    fn mark(&mut self, game: &AnnotatedGame<'_>) -> bool {
        let last = day_of(&game.tags).unwrap_or(0);
        let taught = Taught { source: game.place.input, lesson: Lesson::Set, count: 1, last };
        let marked = game.plies.iter().filter_map(|ply| Some((ply, ply.notes.nag?)));
        let mut any = false;
        for (ply, nag) in marked.filter(|(_, nag)| user_value(*nag).is_some()) {
            let (mark, sources) = self.marks.entry((ply.key, ply.mv)).or_default();
            *mark = nag;
            *sources = crate::experience::join_taught(sources, &[taught]);
            any = true;
        }
        any
    }
}

fn change(((key, mv), (nag, taught)): ((Key, PackedMove), (u8, Vec<Taught>))) -> Change {
    let what = What::Set { setting: Some(UserSetting::Nag(nag)), priority: None };
    Change { key, mv, kind: Kind::Book, what, taught }
}
