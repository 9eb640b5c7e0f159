//! Shows counts as an HTML page, and draws walks through a book as an SVG picture.
//!
//! A [`Subject`] holds the counts, and a [`PageRequest`] describes the tree and the heading. [`page`] returns
//! a [`Page`], a single file that loads nothing else. [`picture`] draws a [`query::Simulation`], and
//! [`refined`] draws histograms of a suite's openings by their results in matches. Templates are used only in
//! this crate.
//!
//! # Flow
//!
//! 1. [`page`] looks up the moves that were played from the first position on. If the rows come from a table,
//!    its parts are checked and then positions are looked up in it. If they come from elsewhere, the most
//!    frequent positions are collected in a single pass.
//! 2. The numbers are turned into tables and SVG charts, and a template puts both into one document.
//! 3. [`picture`] places the most frequent moves of a simulation as branches of a tree, and draws them as
//!    SVG.
//!
//! # Memory
//!
//! A page takes at most 1.5 MB of memory. Unless the rows come from a table, the most frequent positions are
//! also kept in memory.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use position::{Key, Outcome, PackedMove, Tally, named_line};
//! use report::{PLIES, Subject, PageRequest, Work};
//! use shakmaty::Square;
//! use table::{Counting, Row, TableWriter};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.table");
//! let writer = TableWriter::create(&path, Counting::default(), 1, false)?;
//! let mv = PackedMove::new(Square::E2, Square::E4, None);
//! let mut shard = writer.shard(0)?;
//! shard.push(&Row { key: Key::START, mv, tally: Tally::one(Outcome::White), ..Row::default() })?;
//! let table = writer.finish(vec![shard.finish()?], Vec::new())?;
//!
//! let (known, games) = (|_, _| None, 1);
//! let subject =
//!     Subject { rows: &table, table: Some(&table), sources: &[], games, known: &known, spreads: &[] };
//! let start = named_line(None, None)?;
//! let wanted = PageRequest { title: "One game", start: &start, plies: PLIES };
//! let work = Work { threads: 1, check: &|| ControlFlow::Continue(()), on_shard: &|| () };
//! let page = report::page(&subject, &wanted, &work)?;
//! assert_eq!(page.moves, 1);
//! assert!(page.html.contains("<h1>One game</h1>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod color;
mod error;
mod markup;
mod numbers;
mod page;
mod picture;
mod refined;

pub use error::Error;
pub use page::{
    KnownMoves, PLIES, PLIES_MAX, Page, PageRequest, Subject, Work, page,
    spread::{BoxPlot, Spread},
};
pub use picture::picture;
pub use refined::refined;
