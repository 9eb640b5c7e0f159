//! Opening inputs.
