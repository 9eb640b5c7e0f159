//! The error for files that are not lists of evaluations.

use std::path::Path;

/// Turns the error "not PGN" into "not a list of evaluations", since lists are opened the same way as games.
/// For a `.exp` file, the error names the command that reads such files.
pub(super) fn no_list(error: fault::Error) -> fault::Error {
    use pgn::Error::{NotEvals, NotPgn};
    match error.downcast() {
        Ok(NotEvals { name, why } | NotPgn { name, why }) => {
            let is_of_engine = Path::new(&name).extension().is_some_and(|ending| ending == "exp");
            let why = if is_of_engine { "`tabia learn exp` reads what engines learn in".into() } else { why };
            NotEvals { name, why }.into()
        }
        Ok(other) => other.into(),
        Err(other) => other,
    }
}
