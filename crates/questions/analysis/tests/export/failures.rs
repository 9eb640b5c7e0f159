//! Refused exports leave no file behind.

use std::{fs, ops::ControlFlow, path::PathBuf};

use analysis::{Error, ExportOptions};
use fault::Kind;
use position::{PackedMove, Step};
use shakmaty::Square;
use table::{BoxedRows, Counting, Row, SortedRows};

use crate::fixture::{MemoryEdges, Refused, export, export_with, number, plain, text};

fn error(edges: &MemoryEdges, options: &ExportOptions) -> fault::Error {
    export_with(edges, plain(), options).err().unwrap()
}

#[test]
fn rows_out_of_order_are_an_error() {
    let mut edges = MemoryEdges::of_games(20, false);
    edges.rows.swap(10, 11);
    assert!(error(&edges, &ExportOptions::default()).is::<walk::RowOrderError>());
    let mut edges = MemoryEdges::of_games(20, false);
    edges.rows[5] = edges.rows[4];
    assert!(error(&edges, &ExportOptions::default()).is::<walk::RowOrderError>());
}

#[test]
fn an_edge_that_is_no_move_is_counted() {
    let mut edges = MemoryEdges::of_games(20, false);
    let at = edges.rows.iter().position(|row| !row.mv.is_terminal()).unwrap();
    let (key, step) = (edges.rows[at].key, edges.rows[at].step);
    // From one empty corner to the other there is no move to play.
    let mv = PackedMove(u16::MAX >> 4);
    assert_eq!(mv, PackedMove::new(Square::H8, Square::H8, None));
    let end = edges.rows.partition_point(|row| row.key <= key);
    edges.rows.insert(end, Row { mv, step: Step(step.0), ..edges.rows[at] });
    let exported = export(&edges, &ExportOptions::default());
    assert_eq!(exported.report.illegal_edges, 1);
    let row =
        exported.read("moves").into_iter().find(|row| number(&row["move"]) == Some(mv.0.into())).unwrap();
    assert_eq!(text(&row["san"]), None);
}

#[test]
fn wrong_options_are_named() {
    let edges = MemoryEdges::of_games(2, false);
    let months = ExportOptions { month_folders: true, ..ExportOptions::default() };
    assert!(error(&edges, &months).to_string().contains("grouped by month"));
    for name in ["key", "moove"] {
        let without = ExportOptions { without: vec![name.to_owned()], ..ExportOptions::default() };
        let message = error(&edges, &without).to_string();
        assert!(message.contains(&format!("`{name}`")), "{message}");
    }
    let message = error(&edges.in_shards(3), &ExportOptions::default()).to_string();
    assert!(message.contains("a power of two"), "{message}");
}

#[test]
fn only_an_export_is_replaced_and_only_when_asked() {
    let edges = MemoryEdges::of_games(5, false);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let export = |options: &ExportOptions| {
        let go_on = |_| ControlFlow::Continue(());
        let (_, prepared) = analysis::prepare_export(&edges, plain(), options, &path, &go_on)?;
        Ok::<_, fault::Error>(prepared.publish()?)
    };
    let (kept, forced) =
        (ExportOptions::default(), ExportOptions { force: true, ..ExportOptions::default() });
    export(&kept).unwrap();
    assert_eq!(export(&kept).unwrap_err().kind(), Kind::Exists);
    fs::write(path.join("moves/stray"), "of the old one").unwrap();
    export(&forced).unwrap();
    assert!(!path.join("moves/stray").exists());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    fs::remove_file(path.join("export.json")).unwrap();
    assert!(matches!(export(&forced).unwrap_err().downcast(), Ok(Error::NotAnExport { .. })));
}

#[test]
fn a_stopped_export_leaves_nothing() {
    let edges = MemoryEdges::of_games(20, false);
    for phase in ["reading edges", "walking", "writing"] {
        let dir = tempfile::tempdir().unwrap();
        let stop = |progress: analysis::WalkProgress| {
            if progress.phase == phase && progress.shards_done == 1 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let path = dir.path().join("out");
        let result = analysis::prepare_export(&edges, plain(), &ExportOptions::default(), &path, &stop);
        assert!(result.unwrap_err().is::<fault::Stop>(), "{phase}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

/// An input that fails in its second shard.
struct Failing(MemoryEdges);

impl SortedRows for Failing {
    fn shards(&self) -> u32 {
        self.0.shards()
    }

    fn counting(&self) -> &Counting {
        self.0.counting()
    }

    fn shard(&self, shard: u32) -> fault::Result<BoxedRows<'_>> {
        if shard == 1 { Err(Refused.into()) } else { self.0.shard(shard) }
    }
}

#[test]
fn the_inputs_error_comes_through() {
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join("out");
    let edges = Failing(MemoryEdges::of_games(5, false));
    let result = analysis::prepare_export(&edges, plain(), &ExportOptions::default(), &path, &|_| {
        ControlFlow::Continue(())
    });
    assert_eq!(result.unwrap_err().to_string(), "the disk is gone");
    assert!(!path.exists());
}
