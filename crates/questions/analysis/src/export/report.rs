//! The summary of an export, as a value and as the contents of `export.json`.

use position::{Key, Tally};
use serde_json::{Map, Value, json};
use table::{CREATED_BY, KEY_SCHEME};
use walk::Node;

use crate::{ExportOptions, FORMAT, FORMAT_VERSION, OneShard, PartInfo, gather::SHARD};

/// A summary of the files that an export wrote.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct ExportReport {
    /// Rows of `moves/`.
    pub moves: u64,
    /// Rows of `positions/`.
    pub positions: u64,
    /// The number of positions that have no FEN because no line reaches them.
    pub unreached_positions: u64,
    /// The number of rows of `moves/` that have no SAN because no line reaches their position.
    pub unreached_moves: u64,
    /// The number of edges whose move is illegal in the position that the edge's key stands for. Such edges
    /// occur if two positions share a key, or if the input is damaged.
    pub illegal_edges: u64,
    /// Rows of `openings/`.
    pub openings: u64,
    /// Rows of `lines/`.
    pub lines: u64,
    /// Rows of `examples/`.
    pub examples: u64,
    /// The length, in plies, of the shortest line from the start to the farthest position.
    pub plies: u32,
    /// The files, by path.
    pub files: Vec<PartInfo>,
}

/// One shard's contribution to the report.
#[derive(Default)]
pub(super) struct ShardReport {
    /// The shard's row counts and files. Openings and lines are counted later, for all shards together.
    pub(super) rows: ExportReport,
    pub(super) openings: Vec<(Key, String, String)>,
    pub(super) nodes: Vec<Node>,
}

impl ExportReport {
    pub(super) fn add(&mut self, shard: Self) {
        self.files.extend(shard.files);
        self.moves += shard.moves;
        self.positions += shard.positions;
        self.unreached_positions += shard.unreached_positions;
        self.unreached_moves += shard.unreached_moves;
        self.illegal_edges += shard.illegal_edges;
    }
}

/// The contents of `export.json`; `shards` is the number of shards of the table.
pub(super) fn manifest(report: &ExportReport, options: &ExportOptions, shards: u32) -> Value {
    let file = |file: &PartInfo| {
        let mut entry = json!({ "path": file.path, "rows": file.rows, "bytes": file.bytes });
        if file.tally != Tally::default() {
            entry["white"] = file.tally.white.into();
            entry["draws"] = file.tally.draws.into();
            entry["black"] = file.tally.black.into();
        }
        entry
    };
    let metadata: Map<_, _> =
        options.metadata.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    let mut manifest = json!({
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "created_by": CREATED_BY,
        "key_scheme": KEY_SCHEME,
        "key_type": options.key_type.to_string(),
        "metadata": metadata,
        "moves": report.moves,
        "positions": report.positions,
        "unreached_positions": report.unreached_positions,
        "unreached_moves": report.unreached_moves,
        "illegal_edges": report.illegal_edges,
        "openings": report.openings,
        "lines": report.lines,
        "plies": report.plies,
        "files": report.files.iter().map(file).collect::<Vec<_>>(),
    });
    if let Some(OneShard { number, table }) = &options.shard {
        let ExportOptions { without, month_folders, cut, .. } = options;
        manifest[SHARD] = json!({
            "number": number,
            "of": shards,
            "table": table,
            "without": without,
            "month_folders": month_folders,
            "min_games": cut.min_games,
            "color": cut.color.map(|color| color.to_string()),
        });
    }
    manifest
}
