//! Turns one game's text into a verdict and its observations.
//!
//! # Flow
//!
//! 1. The tags give the game's first position and result, and most filters are applied to them. If a filter
//!    excludes the game, the movetext is not read.
//! 2. The movetext is read to its end, and its moves are played up to the ply limit.
//! 3. The game is rejected for the first reason that applies; if there is none, its visits are turned into
//!    observations all at once.

mod game_moves;
mod lines;
mod misspelt;
mod needed_tags;
mod options;
mod outcome;
mod play;
mod repertoire;
mod root;
mod start;
mod whole;

use position::{Board, Group, Key, Observation, Outcome, Root};

use crate::{
    filter::{Filter, Filters, elos_of, group_of},
    misspelling::{Misspelling, Misspellings},
    tags::{TagBuffer, Tags},
    verdict::{Reason, Rejection, Verdict},
};
use lines::Lines;
pub(crate) use lines::WrittenMove;
use play::Play;

pub(crate) use game_moves::GameMoves;
pub use options::{CountingOptions, ReplayOptions, TextOptions};
pub(crate) use play::Visit;
pub use position::{IllegalMove, Repeats, ResultFrom, UnknownResult};
pub use root::{Fen, Line};
pub(crate) use start::fen_of;
pub use whole::WholeGame;

crate::setting::settings_by_from_str!(Fen, Line);

/// Replays games one after another. Each thread has its own `Replay`.
///
/// # Memory
///
/// A replayer's buffers hold the tags (40 bytes each) and visits (16 bytes per ply, 40 with
/// [`Repeats::Once`]) of the largest game so far. Once its buffers have grown, replaying a game allocates
/// nothing except the text of a rejection.
#[derive(Clone, Debug)]
#[must_use]
pub struct Replay {
    options: ReplayOptions,
    /// The position that games must reach to count, and the filter that excludes games that never reach it.
    root: Option<(Key, Filter)>,
    start: Board,
    tags: TagBuffer,
    play: Play,
    lines: Lines,
    last_visits: Vec<(usize, Visit)>,
    /// The game replayed last, if it was accepted.
    accepted: Option<AcceptedGame>,
    /// The last accepted game in full, if whole games are kept.
    whole: Option<WholeGame>,
}

/// A game that counts.
#[derive(Clone, Debug)]
struct AcceptedGame {
    plies: u32,
    cut: bool,
    misspellings: Misspellings,
    /// The index of the first visit that counts.
    from: usize,
    outcome: Outcome,
    group: Group,
    ratings: Option<[u16; 2]>,
    /// The position that the game starts from, unless it is the start position.
    root: Option<Root>,
}

impl Replay {
    /// A replayer with empty buffers. The options are not checked; options that [`ReplayOptions::check`]
    /// would reject are applied as well as possible.
    pub fn new(options: &ReplayOptions) -> Self {
        Self {
            options: options.clone(),
            root: options.counting.root_and_filter(),
            start: Board::start(),
            tags: TagBuffer::default(),
            play: Play::new(options.counting.spelling()),
            lines: Lines::default(),
            last_visits: Vec::new(),
            accepted: None,
            whole: None,
        }
    }

    /// A replayer that also keeps each accepted game in full, for [`whole_game`](Self::whole_game).
    pub fn keeping_games(options: &ReplayOptions) -> Self {
        Self { whole: Some(WholeGame::default()), ..Self::to_the_end(options) }
    }

    /// The last replayed game, including its moves after the ply limit; `None` unless it was accepted and
    /// whole games are kept.
    #[must_use]
    pub fn whole_game(&self) -> Option<&WholeGame> {
        self.whole.as_ref().filter(|_| self.accepted.is_some())
    }

    /// The tags of `text`, which must be the game that was replayed last.
    #[must_use]
    pub fn tags<'t>(&'t self, text: &'t [u8]) -> Tags<'t> {
        self.tags.again(text)
    }

    /// A replayer that also reads the moves after the ply limit, for [`write_moves`](Self::write_moves).
    pub(crate) fn to_the_end(options: &ReplayOptions) -> Self {
        Self { play: Play::with_rest(options.counting.spelling()), ..Self::new(options) }
    }

    /// Appends the start position and all moves of the last replayed game, including those after the ply
    /// limit: the key, then two bytes per move (little-endian), then the text of each move that cannot be
    /// played. Returns the number of moves of the game.
    pub(crate) fn write_moves(&self, moves: &mut Vec<u8>) -> u32 {
        let Play { visits, rest, moves: count, .. } = &self.play;
        let Some((_, played)) = visits.split_last() else { return *count };
        moves.extend(visits[0].key.0.to_le_bytes());
        let start = moves.len();
        moves.resize(start + 2 * played.len(), 0);
        for (bytes, visit) in moves[start..].chunks_exact_mut(2).zip(played) {
            bytes.copy_from_slice(&visit.mv.0.to_le_bytes());
        }
        moves.extend_from_slice(rest.as_deref().unwrap_or_default());
        *count
    }

    /// Replays one game, from its first tag to the end of its text.
    pub fn game(&mut self, text: &[u8]) -> Verdict {
        self.game_if(text, |_| true)
    }

    /// Like [`game`](Self::game), but also calls `admits` with the game's tags, unless the tags alone already
    /// decide the verdict. If `admits` returns false, the game is filtered by [`Filter::Where`].
    pub fn game_if(&mut self, text: &[u8], admits: impl FnOnce(&Tags<'_>) -> bool) -> Verdict {
        self.accepted = None;
        match self.judge(text, admits) {
            Ok(mut game) => {
                if let Some(whole) = &mut self.whole {
                    whole.take(&self.play, &game);
                }
                if self.options.counting.repeats == Repeats::Once {
                    keep_last_visits(&mut self.play.visits, game.from, &mut self.last_visits);
                    game.from = 0;
                }
                let verdict = game.verdict();
                self.accepted = Some(game);
                verdict
            }
            Err(verdict) => verdict,
        }
    }

    /// The verdict on a game that exceeds the [`GameBounds`](crate::input::GameBounds); `text` is the
    /// beginning of the game.
    pub fn too_large(&mut self, text: &[u8]) -> Verdict {
        self.accepted = None;
        let verdict = start::check_variant(&self.tags.read(text));
        verdict.err().unwrap_or_else(|| rejected(Reason::TooLarge, None, text))
    }

    /// Whether a game passes all filters; also true for a game that is rejected before the filters are
    /// applied.
    pub(crate) fn passes_filters(&mut self, text: &[u8]) -> bool {
        let Self { options, play, .. } = self;
        let ReplayOptions { counting, filters } = &*options;
        let tags = self.tags.read(text);
        let Ok(board) = start::position(&tags, counting.from_position, &self.start) else { return true };
        if filters.refuse(&tags).is_some() {
            return false;
        }
        if filters.min_plies <= 1 && self.root.is_none() {
            return true;
        }
        play.movetext(board.as_ref(), text, tags.movetext_at, counting.max_ply);
        filter_line(filters, self.root, play).is_ok()
    }

    /// The observations of the last replayed game, ordered by ply, or by key with [`Repeats::Once`]; there
    /// are none unless the game was accepted.
    #[inline]
    #[must_use]
    pub fn observations(&self) -> impl ExactSizeIterator<Item = Observation> + Clone + '_ {
        let none = (&[][..], Group::NONE, Outcome::Draw);
        let visits_of = |game: &AcceptedGame| (&self.play.visits[game.from..], game.group, game.outcome);
        let (visits, group, outcome) = self.accepted.as_ref().map_or(none, visits_of);
        visits.iter().map(move |visit| Observation::new(visit.key, visit.mv, group, visit.step, outcome))
    }

    /// The observations of the root of the last replayed game. There are none if the game was not accepted or
    /// has no root, or if games are counted only from a given position on.
    pub fn root_observations(&self) -> impl Iterator<Item = Observation> + '_ {
        let game = self.accepted.as_ref().filter(|_| self.root.is_none());
        game.into_iter().flat_map(|game| {
            let root = game.root.into_iter();
            root.flat_map(|root| root.observations(game.outcome))
        })
    }

    /// White's and Black's Elo in the last replayed game, both at least 1; `None` unless the game was
    /// accepted, both are known, and [`CountingOptions::ratings`] asks for them.
    #[inline]
    #[must_use]
    pub fn ratings(&self) -> Option<[u16; 2]> {
        self.accepted.as_ref()?.ratings
    }

    /// Accepts the game, or returns the verdict against it. If several verdicts apply, returns the first of
    /// them in the order of precedence.
    fn judge(
        &mut self,
        text: &[u8],
        admits: impl FnOnce(&Tags<'_>) -> bool,
    ) -> Result<AcceptedGame, Verdict> {
        let Self { options, play, .. } = self;
        let ReplayOptions { counting, filters } = &*options;
        let tags = self.tags.read(text);
        let board = start::position(&tags, counting.from_position, &self.start)?;
        if let Some(filter) = filters.refuse(&tags) {
            return Err(Verdict::Filtered(filter));
        }
        if !admits(&tags) {
            return Err(Verdict::Filtered(Filter::Where));
        }
        play.movetext(board.as_ref(), text, tags.movetext_at, counting.max_ply);
        let from = filter_line(filters, self.root, play)?;
        let outcome = outcome::agreed(&tags, play, text, counting)?;
        check_moves(options, play, text)?;
        check_text(options, play, &tags, text)?;
        let board = board.ok_or_else(|| start::no_position(&tags))?;
        Ok(AcceptedGame {
            plies: play.plies(),
            cut: play.failure.is_some(),
            misspellings: play.misspellings,
            from,
            outcome,
            group: group_of(&tags, &counting.by, filters.player.as_ref()),
            ratings: if counting.ratings { both(elos_of(&tags)) } else { None },
            root: start::root(&board),
        })
    }
}

impl AcceptedGame {
    fn verdict(&self) -> Verdict {
        let Self { plies, cut, misspellings, .. } = *self;
        Verdict::Accepted { plies, cut, misspellings }
    }
}

/// Both ratings; `None` if one of them is unknown.
fn both(elos: [Option<u16>; 2]) -> Option<[u16; 2]> {
    let [white, black] = elos;
    Some([white?, black?])
}

/// Drops the visits before index `from`; of the other visits, keeps only the last one of each key and sorts
/// them by key. `last` is a buffer for sorting.
fn keep_last_visits(visits: &mut Vec<Visit>, from: usize, last: &mut Vec<(usize, Visit)>) {
    last.clear();
    last.extend(visits.drain(from..).enumerate());
    last.sort_unstable_by_key(|(index, visit)| (visit.key, *index));
    // `dedup_by` keeps the first of two equal neighbours, so the later visit is copied over it.
    last.dedup_by(|later, kept| {
        let same = later.1.key == kept.1.key;
        if same {
            *kept = *later;
        }
        same
    });
    visits.clear();
    visits.extend(last.iter().map(|(_, visit)| *visit));
}

/// Applies the filters that look at moves; returns the index of the first visit that counts.
fn filter_line(filters: &Filters, root: Option<(Key, Filter)>, play: &Play) -> Result<usize, Verdict> {
    // With `min_plies` 1, a game without moves is not filtered but rejected later (`no-moves`).
    if filters.min_plies > 1 && play.moves < filters.min_plies {
        return Err(Verdict::Filtered(Filter::MinPlies));
    }
    let Some((root, filter)) = root else { return Ok(0) };
    let reached = play.visits.iter().position(|visit| visit.key == root);
    reached.ok_or(Verdict::Filtered(filter))
}

/// Rejects games without moves, and games with a move that cannot be played.
fn check_moves(options: &ReplayOptions, play: &Play, text: &[u8]) -> Result<(), Verdict> {
    if play.moves == 0 && options.filters.min_plies > 0 {
        return Err(rejected(Reason::NoMoves, None, &text[play.movetext_at..]));
    }
    match &play.failure {
        Some(_) if options.counting.illegal_move == IllegalMove::KeepPrefix && play.plies() > 0 => Ok(()),
        Some(failure) => Err(rejected(failure.reason, Some(play.plies() + 1), &text[failure.span.clone()])),
        None => Ok(()),
    }
}

/// Rejects games with text that cannot be read. An unreadable tag leads to rejection only if the spelling is
/// strict, or if the verdict, the group or the ratings depend on that tag.
fn check_text(options: &ReplayOptions, play: &mut Play, tags: &Tags<'_>, text: &[u8]) -> Result<(), Verdict> {
    if let Some(span) = &play.bad {
        return Err(rejected(Reason::BadToken, None, &text[span.clone()]));
    }
    if let Some(at) = play.unclosed_comment_at {
        return Err(rejected(Reason::UnclosedComment, None, &text[at..]));
    }
    if tags.malformed_at.is_none() {
        return Ok(());
    }
    for (at, name) in tags.malformed() {
        if options.counting.text.strict_san || options.needs(name) {
            return Err(rejected(Reason::InvalidTags, None, &text[at..]));
        }
        play.misspellings.add(Misspelling::BrokenTags);
    }
    Ok(())
}

fn rejected(reason: Reason, ply: Option<u32>, bytes: &[u8]) -> Verdict {
    Verdict::Rejected(Rejection::new(reason, ply, bytes))
}

#[cfg(test)]
mod tests;
