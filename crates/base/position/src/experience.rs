//! What is recorded about an edge in addition to its counts: learned values, the engine's own results, and
//! values set by hand.
//!
//! Experience never changes the counts of a table. It is stored in experience files (crate `experience`) and
//! in sparse sections of a book. The rules that produce it are in the crate `learn`, and the rules that use
//! it are in the crate `policy`.

use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::{Key, PackedMove, Score};

/// Everything that was learned about an edge, or set by hand. The default is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Experience {
    /// The learned value in pawns, from the mover's point of view. It is 0 if nothing was learned: Crafty's
    /// `book.c` has no other sign of that case.
    pub learn: f32,
    /// The number of lessons that contributed to `learn`.
    pub learn_count: u32,
    /// The engine's own games with this move.
    pub own: OwnResults,
    /// How often the move should be played, from 0 to 100, as a user set it (Terra: user-set values).
    pub user_value: Option<u8>,
    /// Lokasoft's priority (ChessPartner: priority), from 0 to 5: 0 means that the move is never played, 3 is
    /// standard, and 5 is best.
    pub priority: Option<u8>,
    /// The NAG number of the last annotation: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!` (PGN standard,
    /// section 10), 10 `=`.
    pub nag: Option<u8>,
    /// The evaluation that a search returned, in pawns from the mover's point of view (Terra's post-book and
    /// Crafty's position learning).
    pub eval: Option<f32>,
    /// The number of moves to mate that the search found, as in UCI: positive if the mover mates, negative if
    /// the mover is mated. If this is set, `eval` is `None`.
    pub mate: Option<i16>,
    /// The depth of the search in plies.
    pub depth: Option<u16>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

impl Experience {
    /// Whether none of the values is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The results of the engine's own games, from the engine's point of view.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq, Serialize)]
pub struct OwnResults {
    /// Games that the engine won.
    pub wins: u32,
    /// Games that the engine drew.
    pub draws: u32,
    /// Games that the engine lost.
    pub losses: u32,
}

impl OwnResults {
    /// All games.
    #[must_use]
    pub fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }
}

/// What a row of experience describes. The names of the kinds are the same in files and on the command line.
#[derive(
    Clone, Copy, Debug, Default, EnumString, Eq, Hash, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
#[repr(u8)]
pub enum ExperienceKind {
    /// A book move.
    #[default]
    Book,
    /// One of the first moves that the engine played on its own after leaving the book (Terra: PostBook).
    Postbook,
    /// The position itself (move 0), or its best move (Crafty's position learning).
    Position,
    /// No move: the key stands for a game or a record that was learned from, so that nothing is learned from
    /// a copy of it.
    Seen,
    /// An engine's evaluation of the position itself (move 0) or of a move.
    Evaluation,
    /// A value for the position itself (move 0) or for a move, computed by minimax from evaluations of
    /// positions a few moves later.
    Minimax,
}

impl ExperienceKind {
    /// All kinds, in order.
    pub const ALL: &[ExperienceKind] = ExperienceKind::VARIANTS;

    /// Whether books can hold rows of this kind. Rows of the kind [`Seen`](Self::Seen) occur only in
    /// experience files.
    #[must_use]
    pub fn is_for_books(self) -> bool {
        self != Self::Seen
    }

    /// Whether rows of this kind are evaluations, or computed from evaluations. Such rows go into books only
    /// on request, and the rules that learn from games ignore them.
    #[must_use]
    pub fn is_evaluation(self) -> bool {
        matches!(self, Self::Evaluation | Self::Minimax)
    }
}

/// The kind of values to which a source contributed. Its name is the same in files and on the command line.
#[derive(Clone, Copy, Debug, EnumString, Eq, IntoStaticStr, Ord, PartialEq, PartialOrd, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[repr(u8)]
pub enum Lesson {
    /// The value `learn`.
    Learn,
    /// The results `own`.
    Own,
    /// The values set by hand: `user_value`, `priority` and `nag`.
    Set,
    /// The search's `eval` or `mate`, its `depth` and its `nodes`.
    Search,
}

impl Lesson {
    /// All lessons, in order.
    pub const ALL: &[Lesson] = Lesson::VARIANTS;
}

/// A source's contribution to the values of one kind.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Contribution {
    /// Index in the list of sources of the file or book.
    pub source: u32,
    /// The kind of values to which the source contributed.
    pub lesson: Lesson,
    /// How many of the source's records or games contributed.
    pub count: u32,
    /// The latest date on which one of these records was learned or one of these games was played, as the
    /// number yyyymmdd; 0 if unknown.
    pub last: u32,
}

/// One row of an experience file or of a book's experience.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperienceRow {
    /// The position.
    pub key: Key,
    /// The move; 0 for the position itself.
    pub mv: PackedMove,
    /// What the row describes.
    pub kind: ExperienceKind,
    /// The experience.
    pub experience: Experience,
    /// The sources of the experience, in ascending order of source and lesson.
    pub taught: Vec<Contribution>,
}

impl ExperienceRow {
    /// The sort key of rows.
    pub fn id(&self) -> (Key, PackedMove, ExperienceKind) {
        (self.key, self.mv, self.kind)
    }

    /// The value of the row's search; `None` if the row has neither an `eval` nor a `mate`.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        Score::of_columns(self.experience.eval, self.experience.mate)
    }
}
