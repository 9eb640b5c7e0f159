//! Opening suites: sets of positions from which games between engines start.

mod board_rules;
mod candidates;
mod exchange;
mod format;
mod named;
mod often;
mod options;
mod other;
mod picking;
mod pool;
mod report;
mod similarity;
mod wdl;

use std::collections::HashMap;

use openings::Openings;
use position::{Experience, Key, PackedMove, Tally};
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use table::SortedRows;
use walk::{Labels, Node, Origin, Tree, Visit, Walk, Work};

pub use self::{
    board_rules::BoardRules,
    format::SuiteFormat,
    options::{EvalView, Spread, SuiteOptions},
    other::{OtherSuite, Overlap},
    report::{Bin, SuiteReport},
    wdl::WdlModel,
};
use self::{
    candidates::{Candidate, Search},
    named::{Codes, names},
    often::FrequencyRecorder,
    pool::Pool,
};
pub(crate) use self::{other::each_position, report::bins};
use crate::{Error, Frequency, Result};

/// The visits of positions with many games may take up at most one sixteenth of the memory.
const OFTEN_SHARE: u64 = 16;

/// Looks up the experience (values learned or set by hand) for an edge or, with move 0, for the position
/// itself.
pub type ExperienceLookUp<'k> = dyn Fn(Key, PackedMove) -> Option<Experience> + Sync + 'k;

/// The inputs of a suite.
pub struct SuiteInputs<'s> {
    /// The counts of a table or a book.
    pub rows: &'s dyn SortedRows,
    /// The number of simulated games that were started, and how they were played: according to a book's
    /// weights, or with random moves. `None` if real games were counted.
    pub played: Option<(u64, &'static str)>,
    /// The names of positions.
    pub openings: &'s Openings,
    /// Looks up the experience for moves and positions.
    pub known: &'s ExperienceLookUp<'s>,
}

/// A position of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Its key.
    pub key: Key,
    /// The board, with the halfmove clock and move number that result from the line.
    pub board: Chess,
    /// The first position of the line, if it is not the start position.
    pub root: Option<Chess>,
    /// The shortest line that leads to the position, in SAN. If several lines are equally short, this is the
    /// one whose moves were played most.
    pub line: String,
    /// The ECO code and name of the last named position on the line.
    pub name: Option<(String, String)>,
    /// How often the position comes up.
    pub frequency: Frequency,
    /// White's advantage in pawns; `None` if it is not known.
    pub eval: Option<f32>,
}

impl Opening {
    /// Returns the FEN, with six fields. The en passant square is included only if a pawn can legally capture
    /// there.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(&self.board, EnPassantMode::Legal).to_string()
    }
}

/// Openings, and a report on them.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The openings, in the order in which they were picked. The first openings of a suite therefore form a
    /// smaller suite of the same kind.
    pub openings: Vec<Opening>,
    /// The report on the openings.
    pub report: SuiteReport,
}

/// Chooses a suite. The result depends only on the rows and the options, never on threads or memory.
///
/// # Memory
///
/// During the walk, the visits of positions with enough games are kept in at most a sixteenth of the memory,
/// and take 64 bytes for each position; the walk may use the rest. If the visits do not fit, the rows are
/// read a second time to find them. After the walk, each position that matches the options takes 256 bytes.
/// If these positions do not all fit into memory, the rows are read again to look up the positions that are
/// picked. Each opening, and each position on a line to an opening, takes about 200 bytes.
///
/// # Errors
///
/// Fails with [`Error::TooMany`] if the lines of the openings have too many positions. Also fails if rows
/// cannot be read, if a temporary file cannot be written, or if the work is stopped.
pub fn suite(source: &SuiteInputs<'_>, options: &SuiteOptions, work: &Work<'_>) -> Result<Suite> {
    let origin = Origin {
        position: options.start.position.clone(),
        ply: options.start.moves.len() as u16,
        last_ply: options.plies.last,
        new_after: options.new_after,
        with_roots: options.start.moves.is_empty(),
    };
    let codes = Codes::new(source.openings)?;
    let of = |key: Key, board: &dyn Fn() -> Option<Chess>| codes.of_position(source.openings, key, board);
    let labels = Labels { first: codes.of_start(source.openings, options), of: &of };
    let often_bytes = work.memory_bytes / OFTEN_SHARE;
    let passing = FrequencyRecorder::of(source.rows, options.min_games, often_bytes);
    let beside = work.with_memory(work.memory_bytes - often_bytes);
    let walk = Walk::labelled(&beside, &passing, &origin, labels)?;
    let often = passing.often();
    let least = candidates::popular(source, options, &walk, work)?;
    let mut pool = Pool::of(Search { source, options, walk: &walk, work, often: often.as_ref(), least })?;
    let chosen = picking::choose(&pool, &codes, options)?;
    let left_out = [("alike", chosen.alike), ("not needed", chosen.left)];
    pool.refused.extend(left_out);
    let (candidates, refused) = (pool.positions(), std::mem::take(&mut pool.refused));
    drop(pool);
    let openings = written(&chosen.taken, source, options, &walk, work)?;
    Ok(Suite { report: SuiteReport::new(&openings, candidates, refused), openings })
}

/// Makes openings from the chosen candidates, in their order.
fn written(
    chosen: &[Candidate],
    source: &SuiteInputs<'_>,
    options: &SuiteOptions,
    walk: &Walk,
    work: &Work<'_>,
) -> Result<Vec<Opening>> {
    let most = work.memory_bytes / Node::BYTES;
    let nodes = chosen.iter().map(Candidate::node).collect();
    let tree = Tree::grow(nodes, walk, most)?.ok_or(Error::TooMany(most))?;
    let names = names(&tree, source.openings, options)?;
    let places: HashMap<Key, usize> =
        chosen.iter().zip(0..).map(|(candidate, place)| (candidate.key, place)).collect();
    let mut openings: Vec<Option<Opening>> = vec![None; chosen.len()];
    tree.visit(options.start_of_lines(), |Visit { node, board, line, root }| {
        if let Some(&place) = places.get(&node.key) {
            let Candidate { key, tally, eval, .. } = chosen[place];
            let name = names.get(&key).map(|name| (name.eco.to_owned(), name.name.to_owned()));
            let (board, root, line) = (board.clone(), root.cloned(), line.to_owned());
            let frequency = source.frequency(tally);
            openings[place] = Some(Opening { key, board, root, line, name, frequency, eval });
        }
        Ok(())
    })?;
    Ok(openings.into_iter().flatten().collect())
}

impl SuiteInputs<'_> {
    fn frequency(&self, tally: Tally) -> Frequency {
        let games = tally.games().max(1);
        self.played.map_or(Frequency::Games(tally), |(all, played)| Frequency::OneIn {
            games: (all + games / 2) / games,
            played,
        })
    }
}

impl Candidate {
    fn node(&self) -> Node {
        let Self { key, parent, ply, tally, .. } = *self;
        Node { key, parent, ply, games: tally.games(), is_wanted: true }
    }
}

#[cfg(test)]
mod tests;
