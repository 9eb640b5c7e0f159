//! The lines from a GUI that the player reads; all others pass through unchanged.
//!
//! Source: the description of the Universal Chess Interface of April 2006 (UCI).

use std::time::Duration;

use shakmaty::Color;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command<'l> {
    Uci,
    IsReady,
    UciNewGame,
    Position(Position<'l>),
    Go(Go),
    PonderHit,
    Stop,
    /// Name and value of an option; a button has no value.
    SetOption(&'l str, Option<&'l str>),
    Quit,
    /// Any other line; it is passed on to the engine.
    Other,
}

/// `position [startpos | fen FEN] [moves …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Position<'l> {
    /// The FEN of the first position; `None` for the start position.
    pub(crate) fen: Option<&'l str>,
    /// The moves, as written.
    pub(crate) moves: Vec<&'l str>,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Go {
    pub(crate) ponder: bool,
    /// `infinite`, or no limit at all: the search lasts until `stop`.
    endless: bool,
    kind: GoKind,
    /// `movetime`: how long to search for the move.
    move_time: Option<Duration>,
    /// The time left on White's and on Black's clock.
    clocks: [Option<Duration>; 2],
}

/// The kind of search that a `go` command requests.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum GoKind {
    /// A move.
    #[default]
    Move,
    /// `searchmoves` or `mate`, which ask a question that a book cannot answer.
    Question,
    /// `perft`, which some engines support: it counts lines of moves and ends without a `bestmove`.
    Perft,
}

impl Go {
    /// Whether the search is for an analysis rather than a game.
    pub(crate) fn is_analysis(&self) -> bool {
        self.endless || self.kind != GoKind::Move
    }

    /// Whether time is limited.
    pub(crate) fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clocks != [None; 2]
    }

    /// Whether the engine answers the search with a `bestmove`.
    pub(crate) fn has_answer(&self) -> bool {
        self.kind != GoKind::Perft
    }

    /// Whether the GUI must end the search with `stop` or `ponderhit`.
    pub(crate) fn waits_for_gui(&self) -> bool {
        self.ponder || self.endless
    }

    /// The time that the engine has for the search when it plays `side`; `None` if the time is unlimited.
    pub(crate) fn time(&self, side: Color) -> Option<Duration> {
        self.move_time.or(self.clocks[side.fold_wb(0, 1)])
    }
}

impl<'l> Command<'l> {
    /// Reads a line.
    pub(crate) fn read(line: &'l str) -> Self {
        let line = line.trim();
        let (first, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        match first {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::UciNewGame,
            "position" => Self::Position(position(rest)),
            "go" => Self::Go(go(rest)),
            "ponderhit" => Self::PonderHit,
            "stop" => Self::Stop,
            "setoption" => set_option(rest),
            "quit" => Self::Quit,
            _ => Self::Other,
        }
    }
}

fn position(rest: &str) -> Position<'_> {
    let rest = rest.trim();
    let (start, moves) = match rest.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves.split_ascii_whitespace().collect()),
        None => (rest, Vec::new()),
    };
    Position { fen: start.strip_prefix("fen").map(str::trim), moves }
}

/// `name N [value V]`; names and values may contain spaces.
fn set_option(rest: &str) -> Command<'_> {
    let Some(rest) = rest.trim().strip_prefix("name ") else { return Command::Other };
    match rest.split_once(" value") {
        Some((name, value)) => Command::SetOption(name.trim(), Some(value.trim())),
        None => Command::SetOption(rest.trim(), None),
    }
}

fn go(rest: &str) -> Go {
    let mut go = Go::default();
    let mut is_limited = false;
    let mut tokens = rest.split_ascii_whitespace();
    while let Some(token) = tokens.next() {
        let mut time = || tokens.next().and_then(milliseconds);
        is_limited |= matches!(token, "movetime" | "wtime" | "btime" | "depth" | "nodes" | "mate" | "perft");
        match token {
            "ponder" => go.ponder = true,
            "infinite" => go.endless = true,
            "searchmoves" | "mate" => go.kind = GoKind::Question,
            "perft" => go.kind = GoKind::Perft,
            "movetime" => go.move_time = time(),
            "wtime" => go.clocks[0] = time(),
            "btime" => go.clocks[1] = time(),
            _ => {}
        }
    }
    go.endless |= !is_limited;
    go
}

/// A time in milliseconds; some programs write a negative number for a clock that has run out.
fn milliseconds(token: &str) -> Option<Duration> {
    token.parse::<i64>().ok().map(|time| Duration::from_millis(time.max(0).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(line: &str) -> Go {
        let Command::Go(go) = Command::read(line) else { panic!("{line}") };
        go
    }

    #[test]
    fn positions_with_and_without_moves() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (line, start, moves) in [
            ("position startpos", None, vec![]),
            (" position  startpos moves e2e4  e7e5\t", None, vec!["e2e4", "e7e5"]),
            (&format!("position fen {fen}"), Some(fen), vec![]),
            (&format!("position fen {fen} moves e1g1"), Some(fen), vec!["e1g1"]),
        ] {
            assert_eq!(Command::read(line), Command::Position(Position { fen: start, moves }), "{line}");
        }
    }

    #[test]
    fn options_with_blanks() {
        for (line, name, value) in [
            ("setoption name Hash value 64", "Hash", Some("64")),
            ("setoption name Book File value /a b/c.bin", "Book File", Some("/a b/c.bin")),
            ("setoption name Book File value", "Book File", Some("")),
            ("setoption name Clear Hash", "Clear Hash", None),
        ] {
            assert_eq!(Command::read(line), Command::SetOption(name, value), "{line}");
        }
        assert_eq!(Command::read("setoption"), Command::Other);
    }

    #[test]
    fn only_searches_with_a_limit_are_of_a_game() {
        for line in ["go wtime 1000 btime 900", "go movetime 5", "go depth 3", "go nodes 10 ponder"] {
            assert!(!searched(line).is_analysis(), "{line}");
        }
        for line in ["go", "go infinite", "go wtime 1 searchmoves e2e4", "go mate 3 depth 9", "go perft 4"] {
            assert!(searched(line).is_analysis(), "{line}");
        }
        assert!(searched("go ponder wtime 1000 btime 900").ponder);
    }

    #[test]
    fn a_search_has_the_time_of_its_side() {
        let seconds = Duration::from_secs;
        let go = searched("go wtime 3000 btime -20 winc 10 binc 10 movestogo 40");
        assert_eq!(go.time(Color::White), Some(seconds(3)));
        assert_eq!(go.time(Color::Black), Some(seconds(0)));
        assert_eq!(searched("go movetime 2000").time(Color::Black), Some(seconds(2)));
        assert_eq!(searched("go depth 5").time(Color::White), None);
    }
}
