//! Answers questions about books, tables, experience files and Polyglot books. Once opened, an artefact can
//! be queried any number of times.
//!
//! An [`Artefact`] is a file or folder, recognised by its content. A [`Probe`] contains the data that an
//! artefact has for one position, a [`Chooser`] is a policy that chooses moves from the artefact, and a
//! [`Simulation`] is the outcome of many walks through it. Types that derive `Serialize` define the JSON that
//! other programs read.
//!
//! # Flow
//!
//! 1. [`Artefact::open`] opens a path; all other functions take the opened artefact.
//! 2. [`probe`](probe()) looks up a position, and [`probe_key`] looks up a key, for which no board is needed;
//!    [`why`](why()) explains a move of a book, and [`sources_of`] lists the sources of a book's experience.
//! 3. [`Chooser::new`] finds a policy. [`View::judge`] lets the policy judge the moves of a position, and
//!    [`pick`] lets it choose a move. [`simulate`] makes many walks through the artefact, in which policies
//!    choose the moves.
//! 4. A [`View`] answers questions from only some of the games, or with experience from the caller;
//!    [`compare`](compare()) shows how two views differ in a position, and [`holes`](holes()) finds the moves
//!    that a repertoire does not answer.
//! 5. [`positions`](positions()) reads every position of an artefact, in the order of keys. A
//!    [`PositionIndex`] keeps them in memory for walks, and [`ArtefactRows`] supplies them as rows for walks
//!    on disk.
//! 6. [`info`](info()) describes the artefact as a whole; [`verify`](verify()) checks all of it.
//! 7. [`sql`](sql()) writes DuckDB's macros for keys and moves, and views over an export or a table.
//!
//! # Memory
//!
//! Books are memory-mapped, and tables and Polyglot books are read in place, so a probe allocates nothing but
//! its result. An experience file has no index, so each probe of it reads all of its rows, one batch at a
//! time. [`simulate`] builds a tree of at most 50 MB.
//!
//! # Stability
//!
//! Other programs, and the libraries for C and Python, also link to this crate to read Tabia's files. Within
//! a minor version, no function changes its arguments, and no returned type loses a field. In any version,
//! returned types may gain fields and [`Error`] may gain variants: they are `#[non_exhaustive]`. [`Artefact`]
//! is exhaustive, so that the compiler finds every place that must handle a new kind of file.
//!
//! # Example
//!
//! `examples/probe.rs` is a small program that reads a book.
//!
//! ```
//! use book::{BookWriter, Existing, PositionEntry};
//! use position::{Edge, Key, PackedMove, Tally};
//! use query::{Artefact, Chooser};
//! use shakmaty::{Chess, Color, Square};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("small.tabia");
//! let tally = Tally { white: 3, draws: 2, black: 1 };
//! let e4 = Edge { mv: PackedMove::new(Square::E2, Square::E4, None), tally };
//! let mut writer = BookWriter::create(&path, &serde_json::json!({}), 1, Existing::Refuse)?;
//! writer.push(&PositionEntry { key: Key::START, turn: Color::White, tally, edges: vec![e4] })?;
//! writer.finish()?;
//!
//! let (artefact, start) = (Artefact::open(&path)?, Chess::default());
//! let found = query::probe(&artefact, &start)?;
//! assert_eq!((found.source, found.moves[0].name()), ("the book", "e4"));
//!
//! let chooser = Chooser::new("polyglot", &[])?;
//! let pick = query::pick(&artefact, &start, &chooser, 7)?;
//! assert_eq!(pick.san.as_deref(), Some("e4"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod artefact;
mod book_roots;
mod by_group;
mod by_key;
mod choose;
mod compare;
mod dump;
mod error;
mod example_games;
mod foreign;
mod games;
mod holes;
mod index;
mod info;
mod keeps;
mod known_rows;
mod move_names;
mod never_played;
mod opening;
mod positions;
mod probe;
mod reach;
mod rows;
mod side;
mod sources;
mod sql;
mod tally_fields;
mod verify;
mod view;
mod walk;
mod why;

pub use artefact::Artefact;
pub use book_roots::{BookRoots, first_positions};
pub use by_group::{BandResults, MonthResults};
pub use by_key::{KeyMove, KeyProbe, LookUps, VisitAnswer, probe_key, probe_keys};
pub use choose::{
    Candidates, Choice, Chooser, ChosenMove, Draw, Pick, Setting, book_moves, candidates, draw, pick, policy,
};
pub use compare::{ComparedMove, Comparison, MoveComparison, compare};
pub use dump::{Dump, DumpedLine, DumpedMove, Joined, RawEntry};
pub use error::{Error, Result};
pub use example_games::{
    Example, ExampleGames, GamePlayer, PlayedGame, PositionExamples, example_games, example_pgn,
};
pub use games::GamesFilter;
pub use holes::{Hole, HoleOptions, Holes, holes};
pub use index::PositionIndex;
pub use info::{Fact, Info, info, provenance};
pub use keeps::keeps;
pub use never_played::never_played;
pub use opening::Opening;
pub use positions::{AllPositions, positions};
pub use probe::{KnownMove, Probe, ProbedMove, probe};
pub use reach::{Reached, judge_reachable};
pub use rows::ArtefactRows;
pub use side::{only_side, only_side_among, only_side_on_lines, replies};
pub use sources::sources_of;
pub use sql::{SqlDialect, sql};
pub use verify::{Verification, verify};
pub use view::View;
pub use walk::{
    Choosers, End, EndShare, Line, Node, OtherLines, PLIES_MAX, PliesShare, Simulation, Tree, WalkOptions,
    numbered, simulate,
};
pub use why::{CountOrigin, Why, why};

pub use policy::{CATALOGUE, Parameter, ParameterKind, PolicySpec, Scores};
