//! Every worked number of the four source texts (`docs/sources.md`) that concerns the choice of a move.

mod crafty;
mod lokasoft;
mod postmodernist;
mod terra;
