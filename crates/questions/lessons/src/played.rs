//! A finished game from the view of one of its players.

use learn::games::{self, OwnGame};
use position::{Key, Outcome, PackedMove, Score};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// A finished game from the view of one of its players: all that rules of learning ask about.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[must_use]
pub struct PlayedGame {
    /// Place of its source in the list of sources.
    pub source: u32,
    /// The identity by which a copy of it is recognised, see [`identify`](Self::identify).
    pub identity: u64,
    /// The identity without the round and the time, by which files of older versions remember games.
    pub untimed_identity: u64,
    /// Day, yyyymmdd; 0 if unknown.
    pub date: u32,
    /// The side of the player that learns.
    #[serde(with = "Side")]
    pub own: Color,
    /// How it ended; `None` if that is unknown, and then only searches can teach.
    pub outcome: Option<Outcome>,
    /// The player's rating, if known.
    pub own_elo: Option<u16>,
    /// The opponent's rating, if known.
    pub opponent_elo: Option<u16>,
    /// The opponent's name; empty if it is not known.
    pub opponent: String,
    /// Half-moves played, including those before the first of `plies`.
    pub length_plies: u32,
    /// Whether it had a time control.
    pub timed: bool,
    /// Whether no move was taken back, and it was not broken off.
    pub serious: bool,
    /// Whether its result is the player's own judgement, because no one has reported how the game ended.
    pub adjudicated: bool,
    /// The moves, each with the key of the position before it. Moves at even places are White's: if Black
    /// moves first, [`PackedMove::TERMINAL`] is in White's place.
    plies: Vec<(Key, PackedMove)>,
    /// What is known of the search for each of `plies`.
    searches: Vec<SearchResult>,
}

/// How a side is written where a game waits.
#[derive(Deserialize, Serialize)]
#[serde(remote = "Color")]
enum Side {
    Black,
    White,
}

/// What is known of the search for a move.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[must_use]
pub struct SearchResult {
    /// The value in pawns, from the view of the player that learns.
    pub pawns: Option<f32>,
    /// The depth in plies.
    pub depth: Option<u16>,
}

impl SearchResult {
    /// A search that found a mate: the player mates, or is mated if `moves` is negative or 0.
    pub fn of_mate(moves: i32, depth: Option<u16>) -> Self {
        let pawns = if moves > 0 { Score::MATE_PAWNS } else { -Score::MATE_PAWNS };
        Self { pawns: Some(pawns), depth }
    }

    /// The value in centipawns, as Crafty's rules take it.
    #[must_use]
    pub fn centipawns(&self) -> Option<i32> {
        self.pawns.map(|pawns| (pawns * 100.0).round() as i32)
    }
}

impl PlayedGame {
    /// Creates a serious game with a time control, of unknown date and ratings and without moves.
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

    /// Notes that Black moves first; only before the first move.
    ///
    /// # Panics
    ///
    /// Panics if the game has moves.
    pub fn begin_with_black(&mut self) {
        assert!(self.plies.is_empty(), "the first move is not made yet");
        self.plies.push((Key(0), PackedMove::TERMINAL));
        self.searches.push(SearchResult::default());
    }

    /// Adds a move in the position `key`, and the player's search for it.
    pub fn push(&mut self, key: Key, mv: PackedMove, searched: SearchResult) {
        self.plies.push((key, mv));
        self.searches.push(searched);
        self.length_plies += 1;
    }

    /// Sets the identity, once players, date, moves and outcome are known: a hash of them, see
    /// [`games::identity`], and of when the game began, see [`games::timed_identity`].
    pub fn identify(&mut self, [white, black]: [&str; 2], round: Option<&str>, time: Option<&str>) {
        let moves: Vec<_> = self.moves().map(|(_, mv)| mv).collect();
        self.untimed_identity = games::identity(white, black, self.date, moves.into_iter(), self.outcome);
        self.identity = games::timed_identity(self.untimed_identity, round, time);
    }

    /// The identity under which the game is remembered once it has taught this side.
    pub(crate) fn side_identity(&self) -> u64 {
        games::side_identity(self.identity, self.own)
    }

    /// All identities under which files, including those of older versions, may remember that it has taught
    /// this side: with a side or without, with the round and the time or without.
    pub(crate) fn identities(&self) -> [u64; 4] {
        let Self { identity, untimed_identity: untimed, own, .. } = *self;
        [identity, self.side_identity(), untimed, games::side_identity(untimed, own)]
    }

    /// The moves, each with the key of the position before it.
    pub fn moves(&self) -> impl Iterator<Item = (Key, PackedMove)> {
        self.plies.iter().copied().filter(|ply| !ply.1.is_terminal())
    }

    /// The moves as rules index them: those at even places are White's. If Black moves first, the first is
    /// [`PackedMove::TERMINAL`].
    pub fn plies(&self) -> &[(Key, PackedMove)] {
        &self.plies
    }

    /// What is known of the search for the move at `ply` of [`plies`](Self::plies).
    pub fn search(&self, ply: usize) -> SearchResult {
        self.searches.get(ply).copied().unwrap_or_default()
    }

    /// The player's rating less the opponent's; 0 if either is unknown.
    #[must_use]
    pub fn rating_difference(&self) -> i32 {
        self.own_elo.zip(self.opponent_elo).map_or(0, |(own, opponent)| i32::from(own) - i32::from(opponent))
    }

    /// The game as rules about results see it; `None` if its result is unknown.
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
