//! How a move is chosen: the selection rules of four engines, of Polyglot, and two of ours.
