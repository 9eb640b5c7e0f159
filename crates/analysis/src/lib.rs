//! Readable Parquet for analysts: FEN, SAN, openings, scores.
