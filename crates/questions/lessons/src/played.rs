//! A finished game from the point of view of one of its players.

use learn::games::{self, OwnGame};
use position::{Key, Outcome, PackedMove, Score};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// A finished game from the point of view of one of its players, with everything that the learning rules
/// need.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[must_use]
pub struct PlayedGame {
    /// The index of the game's source in the caller's list of sources.
    pub source: u32,
    /// The identity by which a copy of the game is recognised; see [`identify`](Self::identify).
    pub identity: u64,
    /// The identity without the round and the time, as older versions computed it.
    pub untimed_identity: u64,
    /// The day of the game as yyyymmdd; 0 if unknown.
    pub date: u32,
    /// The side of the learning player.
    #[serde(with = "Side")]
    pub own: Color,
    /// How the game ended; `None` if unknown, in which case only searches can be learned from.
    pub outcome: Option<Outcome>,
    /// The player's rating, if known.
    pub own_elo: Option<u16>,
    /// The opponent's rating, if known.
    pub opponent_elo: Option<u16>,
    /// The opponent's name; empty if it is not known.
    pub opponent: String,
    /// The number of half-moves in the game, including those before the first of `plies`.
    pub length_plies: u32,
    /// Whether the game had a time control.
    pub timed: bool,
    /// Whether the game was played to its end and no move was taken back.
    pub serious: bool,
    /// Whether the result is only the player's own judgement, because no one reported how the game ended.
    pub adjudicated: bool,
    /// The moves, and the keys of the positions in which they were played. White's moves are at even indices,
    /// so if Black moves first, [`PackedMove::TERMINAL`] is in the place of White's first move.
    plies: Vec<(Key, PackedMove)>,
    /// The result of the search for each move in `plies`, as far as it is known.
    searches: Vec<SearchResult>,
}

/// The form in which a side is serialized when a game is stored until it can be learned from.
#[derive(Deserialize, Serialize)]
#[serde(remote = "Color")]
enum Side {
    Black,
    White,
}

/// The result of the search that found a move, as far as it is known.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[must_use]
pub struct SearchResult {
    /// The value in pawns, from the point of view of the learning player; `None` if it is not known.
    pub pawns: Option<f32>,
    /// The depth in plies; `None` if it is not known.
    pub depth: Option<u16>,
}

impl SearchResult {
    /// Creates the result of a search that found a mate. The player mates if `moves` is positive, and is
    /// mated otherwise.
    pub fn of_mate(moves: i32, depth: Option<u16>) -> Self {
        let pawns = if moves > 0 { Score::MATE_PAWNS } else { -Score::MATE_PAWNS };
        Self { pawns: Some(pawns), depth }
    }

    /// Returns the value in centipawns, the unit that Crafty's rules use.
    #[must_use]
    pub fn centipawns(&self) -> Option<i32> {
        self.pawns.map(|pawns| (pawns * 100.0).round() as i32)
    }
}

impl PlayedGame {
    /// Creates a serious game with a time control; it has no moves, date or ratings yet.
    pub fn new(own: Color, outcome: Option<Outcome>) -> Self {
        Self {
            source: 0,
            identity: 0,
            untimed_identity: 0,
            date: 0,
            own,
            outcome,
            own_elo: None,
            opponent_elo: None,
            opponent: String::new(),
            length_plies: 0,
            timed: true,
            serious: true,
            adjudicated: false,
            plies: Vec::new(),
            searches: Vec::new(),
        }
    }

    /// Records that Black moves first. This must be called before the first move is pushed.
    ///
    /// # Panics
    ///
    /// Panics if the game already has moves.
    pub fn begin_with_black(&mut self) {
        assert!(self.plies.is_empty(), "the first move is not made yet");
        self.plies.push((Key(0), PackedMove::TERMINAL));
        self.searches.push(SearchResult::default());
    }

    /// Adds a move played in the position `key`, with the result of the search that found it.
    pub fn push(&mut self, key: Key, mv: PackedMove, searched: SearchResult) {
        self.plies.push((key, mv));
        self.searches.push(searched);
        self.length_plies += 1;
    }

    /// Sets the identity: a hash of the players, date, moves and outcome (see [`games::identity`]), and of
    /// the round and the time (see [`games::timed_identity`]). The date, moves and outcome must already have
    /// been set.
    pub fn identify(&mut self, [white, black]: [&str; 2], round: Option<&str>, time: Option<&str>) {
        let moves: Vec<_> = self.moves().map(|(_, mv)| mv).collect();
        self.untimed_identity = games::identity(white, black, self.date, moves.into_iter(), self.outcome);
        self.identity = games::timed_identity(self.untimed_identity, round, time);
    }

    /// The identity under which this game is remembered once this side has learned from it.
    pub(crate) fn side_identity(&self) -> u64 {
        games::side_identity(self.identity, self.own)
    }

    /// Returns all identities under which a file may record that this side has learned from the game. There
    /// are four identities, because the hash may or may not include the side, and may or may not include the
    /// round and the time. Older versions left out the round and the time.
    pub(crate) fn identities(&self) -> [u64; 4] {
        let Self { identity, untimed_identity: untimed, own, .. } = *self;
        [identity, self.side_identity(), untimed, games::side_identity(untimed, own)]
    }

    /// Returns the moves, and the keys of the positions in which they were played.
    pub fn moves(&self) -> impl Iterator<Item = (Key, PackedMove)> {
        self.plies.iter().copied().filter(|ply| !ply.1.is_terminal())
    }

    /// Returns the moves as the rules expect them, with White's moves at even indices. If Black moves first,
    /// [`PackedMove::TERMINAL`] comes first.
    pub fn plies(&self) -> &[(Key, PackedMove)] {
        &self.plies
    }

    /// The result of the search for the move at `ply` of [`plies`](Self::plies), as far as it is known.
    pub fn search(&self, ply: usize) -> SearchResult {
        self.searches.get(ply).copied().unwrap_or_default()
    }

    /// The player's rating minus the opponent's; 0 if either is unknown.
    #[must_use]
    pub fn rating_difference(&self) -> i32 {
        self.own_elo.zip(self.opponent_elo).map_or(0, |(own, opponent)| i32::from(own) - i32::from(opponent))
    }

    /// Converts the game into input for the rules about results; `None` if the result is unknown.
    pub(crate) fn own_game(&self) -> Option<OwnGame> {
        Some(OwnGame {
            own: self.own,
            outcome: self.outcome?,
            plies: self.length_plies,
            own_elo: self.own_elo,
            opponent_elo: self.opponent_elo,
            timed: self.timed,
            serious: self.serious,
        })
    }
}
