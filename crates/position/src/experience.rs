//! What is known about an edge beyond its counts: everything learned, and everything set by hand.
//!
//! The counts of a table are never touched by it. An experience file (crate `table`) and the sparse sections of a book hold
//! it, `learn` makes it, `policy` reads it.

use crate::{Key, PackedMove};

/// Everything learned about one edge or set for it by hand. The default knows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Experience {
    /// Learned value, pawns, mover's view. 0 where nothing was learned, as in Crafty (its `book.c` knows no other mark).
    pub learn: f32,
    /// How many lessons `learn` was made of.
    pub learn_count: u32,
    /// The engine's own games with this move.
    pub own: OwnResults,
    /// Value set by a user, 0–100: how often the move should be played (seed Terra, C3).
    pub user_value: Option<u8>,
    /// Lokasoft's priority, 0–5: 0 never played, 3 standard, 5 best (seed Lokasoft, A11).
    pub priority: Option<u8>,
    /// The last annotation, as the number of its NAG: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!` (PGN standard, section 10), 10 `=`.
    pub nag: Option<u8>,
    /// Value of a search, pawns, mover's view (Terra's post-book and Crafty's position learning).
    pub eval: Option<f32>,
    /// Depth of that search, plies.
    pub depth: Option<u16>,
}

impl Experience {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The engine's own games, from its own view.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct OwnResults {
    /// Games it won.
    pub wins: u32,
    /// Games it drew.
    pub draws: u32,
    /// Games it lost.
    pub losses: u32,
}

impl OwnResults {
    /// All games.
    #[must_use]
    pub fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }
}

/// What an experience is about.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub enum Kind {
    /// A book move.
    #[default]
    Book,
    /// One of the first own moves after leaving the book (seed Terra, C9).
    Postbook,
    /// The position itself, move 0, or its best move (Crafty's position learning).
    Position,
    /// No move at all: the key is the identity of a game or record that was met already, so that no copy of it teaches.
    Seen,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 4] = [Kind::Book, Kind::Postbook, Kind::Position, Kind::Seen];

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Book => "book",
            Kind::Postbook => "postbook",
            Kind::Position => "position",
            Kind::Seen => "seen",
        }
    }
}

/// What a source taught: which of an experience's values it had a part in.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub enum Lesson {
    /// `learn`.
    Learn,
    /// `own`.
    Own,
    /// `user_value`, `priority` and `nag`.
    Set,
    /// `eval` and `depth`.
    Search,
}

impl Lesson {
    /// All lessons, in order.
    pub const ALL: [Lesson; 4] = [Lesson::Learn, Lesson::Own, Lesson::Set, Lesson::Search];

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Lesson::Learn => "learn",
            Lesson::Own => "own",
            Lesson::Set => "set",
            Lesson::Search => "search",
        }
    }
}

/// Where a value came from.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Taught {
    /// Index in the list of sources that stands beside the rows.
    pub source: u32,
    /// Which value.
    pub lesson: Lesson,
    /// How many of its records or games.
    pub count: u32,
    /// The last day one of them was learned or played, as the number yyyymmdd; 0 unknown.
    pub last: u32,
}

/// One row of an experience file or of a book's experience.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperienceRow {
    /// The position.
    pub key: Key,
    /// The move; 0 is knowledge of the position itself.
    pub mv: PackedMove,
    /// What it is about.
    pub kind: Kind,
    /// What is known.
    pub experience: Experience,
    /// Where it came from, ascending by source and lesson.
    pub taught: Vec<Taught>,
}

impl ExperienceRow {
    /// What rows are sorted by.
    #[must_use]
    pub fn id(&self) -> (Key, PackedMove, Kind) {
        (self.key, self.mv, self.kind)
    }
}
