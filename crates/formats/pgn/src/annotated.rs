//! Games with the annotations of their moves: evaluations, depths, clock times and symbols such as `!`.
//!
//! # Flow
//! - [`AnnotatedReader`] reads games, compressed or not, and returns [`AnnotatedBatch`]es in the order of the
//!   text.
//! - [`AnnotatedBatch::games`] returns each [`AnnotatedGame`], whether or not the rules of [`crate::replay`]
//!   accept it.
//! - The [`AnnotatedPly`]s of a game are its moves, each with its [`Notes`].
//!
//! ```
//! use pgn::{
//!     annotated::{AnnotatedOptions, AnnotatedReader, Evaluation},
//!     input::{ChunkOptions, Input},
//! };
//!
//! let text = "[Event \"x\"]\n\n1. e4! {+0.35/12 1.2s} e5 {+0.10/11 0.9s} 1-0\n";
//! let input = Input::stream("-", text.as_bytes());
//! for batch in AnnotatedReader::open(vec![input], &ChunkOptions::default(), &AnnotatedOptions::default())? {
//!     for game in batch?.games() {
//!         let notes = game.plies.iter().map(|ply| ply.notes).collect::<Vec<_>>();
//!         assert_eq!((notes[0].nag, notes[0].depth), (Some(1), Some(12)));
//!         assert_eq!(notes[0].time_used_ms, Some(1200));
//!         assert_eq!(notes[1].evaluation, Some(Evaluation::Pawns(-0.1)), "White's view");
//!     }
//! }
//! # Ok::<(), pgn::Error>(())
//! ```
//!
//! # Comments
//! Whatever is written between a move and the next one (or the result) is a note on the earlier move.
//! Variations are skipped with everything in them.
//!
//! | style | example | view | mates count | source |
//! |---|---|---|---|---|
//! | [`Style::Lichess`] | `[%eval 0.25] [%clk 0:10:00]`, `[%eval #-3]` | White | moves | lichess-org/database, notes on its files |
//! | [`Style::ChessBase`] | `[%eval 35,18] [%emt 0:00:13]`, `[%eval 32764,40]` | White | from the ends of 16 bits | real files |
//! | [`Style::Cutechess`] | `+0.35/12 1.2s`, `-M4/20 0.1s`, `book` | mover | plies | cutechess, `moveevaluation.cpp` |
//! | [`Style::Arena`] | `(e2e4) +0.35/12 5` | mover | plies | real files |
//! | [`Style::Tcec`] | `d=30, mt=37918, tl=1765082, wv=0.25,` | White | plies | TCEC's archive; `wv` is White's value |
//! | [`Style::Tcec`] | `ev=0.25, d=30, mt=00:00:13, tl=01:29:59,` | White | plies | TCEC's archive, earlier seasons |
//!
//! To check the column "view", the values in real files were compared with the results of decided games. In
//! TCEC's files, 99 % of the values beyond one pawn favour the winner; in files with centipawns, 98 % do.
//! Some programs write values in cutechess's style, but from White's point of view, and nothing in their
//! files reveals it: in one collection of engine matches, one value in seven favours the loser. Mates counted
//! in plies are converted to moves: the successive values `+M5`, `-M4` and `+M3` are mates in 3, 2 and 2.
//!
//! # Loose files
//! Annotation files that people write are not quite PGN. With [`Form::Loose`], tags need no quotes and may
//! have a colon (`[Event: "Line 1"]`, `[Result 1-0]`; Terra). A game starts wherever tags follow moves, with
//! or without a blank line. A game needs no result. Its moves are read up to the first move that cannot be
//! played. A game is rejected if none of its moves can be played.

mod batch;
mod comment;
mod notes;
mod ply;
mod reader;
mod score;
mod time;
mod work;

pub use batch::{AnnotatedBatch, AnnotatedGame};
pub use ply::{AnnotatedPly, Evaluation, Notes, Style};
pub use reader::{AnnotatedOptions, AnnotatedReader};
pub use work::Annotator;

pub use crate::texts::Form;
