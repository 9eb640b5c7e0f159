//! The lines that an engine prints.

/// A line from the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EngineLine<'l> {
    /// `id name`: the name of the engine.
    Name(&'l str),
    /// The rest of a line that begins with `option`.
    Option(&'l str),
    /// `uciok`: the engine has given its name and listed all its options.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// The rest of a line that begins with `bestmove`.
    BestMove(&'l str),
    /// The rest of a line that begins with `info`.
    Info(&'l str),
    /// Any other line.
    Other,
}

impl<'l> EngineLine<'l> {
    /// Reads a line.
    #[must_use]
    pub fn read(line: &'l str) -> Self {
        let line = line.trim();
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "id" => rest.strip_prefix("name ").map_or(Self::Other, |name| Self::Name(name.trim())),
            "option" => Self::Option(rest),
            "uciok" => Self::UciOk,
            "readyok" => Self::ReadyOk,
            "bestmove" => Self::BestMove(rest),
            "info" => Self::Info(rest),
            _ => Self::Other,
        }
    }
}

/// Returns the option's name from the rest of an `option` line.
#[must_use]
pub fn option_name(option: &str) -> Option<&str> {
    let rest = option.trim().strip_prefix("name ")?;
    Some(rest.split_once(" type ").map_or(rest, |(name, _)| name).trim())
}

/// Returns the move from the rest of a `bestmove` line.
#[must_use]
pub fn best_move(rest: &str) -> Option<&str> {
    rest.split_ascii_whitespace().next()
}

/// An exact search value (not a bound) as an engine prints it, from the side to move's point of view.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PrintedScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The number of moves to mate, negative if the side to move is being mated.
    Mate(i32),
}

/// The value that a search found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SearchValue {
    /// The value.
    pub score: PrintedScore,
    /// The depth in plies; `None` if the line does not contain it.
    pub depth: Option<u16>,
}

/// The contents of an `info` line that reports the value of a variation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct InfoLine<'l> {
    /// The number of the variation (`multipv`), 1 for the best.
    pub line: u32,
    /// The value found.
    pub found: SearchValue,
    /// The nodes searched so far.
    pub nodes: Option<u64>,
    /// The first move of the variation.
    pub mv: Option<&'l str>,
}

impl<'l> InfoLine<'l> {
    /// Reads the rest of an `info` line. Returns `None` if the line has no value, or only a bound.
    #[must_use]
    pub fn read(rest: &'l str) -> Option<Self> {
        let (mut score, mut depth, mut nodes, mut line, mut mv) = (None, None, None, 1, None);
        let mut tokens = rest.split_ascii_whitespace();
        while let Some(token) = tokens.next() {
            match token {
                "string" => break,
                // The rest of the line consists of moves.
                "pv" => {
                    mv = tokens.next();
                    break;
                }
                "depth" => depth = tokens.next()?.parse().ok(),
                "nodes" => nodes = tokens.next()?.parse().ok(),
                "multipv" => line = tokens.next()?.parse().ok()?,
                "lowerbound" | "upperbound" => return None,
                "score" => {
                    score = match (tokens.next()?, tokens.next()?.parse().ok()?) {
                        ("cp", value) => Some(PrintedScore::Centipawns(value)),
                        ("mate", moves) => Some(PrintedScore::Mate(moves)),
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        score.map(|score| Self { line, found: SearchValue { score, depth }, nodes, mv })
    }
}

/// Returns the value in an `info` line for the best variation; `None` if the line is for another variation or
/// has no exact value.
#[must_use]
pub fn info(rest: &str) -> Option<SearchValue> {
    InfoLine::read(rest).filter(|info| info.line == 1).map(|info| info.found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_best_line() {
        let found = |score, depth| Some(SearchValue { score, depth });
        for (line, expected) in [
            (
                "depth 12 seldepth 20 multipv 1 score cp 35 nodes 9 pv e2e4 depth",
                found(PrintedScore::Centipawns(35), Some(12)),
            ),
            ("score mate -3 depth 9", found(PrintedScore::Mate(-3), Some(9))),
            ("score cp -7", found(PrintedScore::Centipawns(-7), None)),
            ("depth 12 multipv 2 score cp 35", None),
            ("depth 12 score cp 35 lowerbound nodes 9", None),
            ("depth 12 currmove e2e4 currmovenumber 1", None),
            ("string score cp 35", None),
            ("score cp many", None),
            ("depth", None),
        ] {
            assert_eq!(info(line), expected, "{line}");
        }
    }

    #[test]
    fn lines_and_names() {
        assert_eq!(EngineLine::read("id name Fruit 2.1"), EngineLine::Name("Fruit 2.1"));
        assert_eq!(EngineLine::read("id author F. L."), EngineLine::Other);
        let EngineLine::Option(option) = EngineLine::read("option name Clear Hash type button") else {
            panic!()
        };
        assert_eq!(option_name(option), Some("Clear Hash"));
        let EngineLine::BestMove(rest) = EngineLine::read("bestmove e2e4 ponder e7e5\r") else { panic!() };
        assert_eq!(best_move(rest), Some("e2e4"));
        assert_eq!(EngineLine::read("Fruit 2.1 UCI by F. L."), EngineLine::Other);
    }
}
