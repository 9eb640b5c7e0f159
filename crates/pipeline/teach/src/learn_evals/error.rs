//! Why nothing is learned of lists.

use std::path::Path;

/// The error of a file that is no list: lists are opened as files of games are, and what engines learn in is
/// read by another command.
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
