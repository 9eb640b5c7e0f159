//! Every worked number of the four seeds that concerns the choice of a move.

mod crafty;
mod lokasoft;
mod postmodernist;
mod terra;
