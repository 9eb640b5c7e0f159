//! Readable Parquet for analysts: counts and games handed to crate `analysis`.

mod edges;
mod games;
mod unfold;

pub(crate) use edges::export_edges;
pub(crate) use games::export_games;
pub(crate) use unfold::unfold;
