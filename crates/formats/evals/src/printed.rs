//! Converts the output of the program cdbdirect, which reads the cloud database chessdb.cn, to
//! comma-separated values.
//!
//! # Format
//!
//! The output begins with `Reading FENs from: FILE`. Then each position is printed as a line of hyphens,
//! `Probing: FEN` with four fields, a line `    MOVE : VALUE` for each move (the best first),
//! `    Distance to startpos …`, and `Required time: …`. If the position is unknown, `Fen not found in DB!`
//! takes the place of the moves and the distance (cdbdirect, `main.cpp`). Values are centipawns from the
//! mover's point of view. An absolute value above 25,000 stands for a mate: it is 30,000 minus the number of
//! plies to the mate.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
};

use pgn::{Error, Result, input::Input};

use crate::text::AsText;

/// The texts with which the output can begin. Complete output begins with the name of the list of positions.
/// If that name was printed elsewhere, the output begins with a line of hyphens. If only the lines with
/// positions and values were kept, the output begins with the first position.
const BEGINS: [&[u8]; 3] =
    [b"Reading FENs from: ", b"-------------------------------------------------", b"Probing: "];

/// The prefixes of lines without a value, after leading spaces are removed.
const WITHOUT_VALUE: [&str; 5] =
    ["Reading FENs from: ", "-----", "Distance to startpos ", "Fen not found in DB!", "Required time: "];

/// Every absolute value above `CENTIPAWNS_MAX` is a mate; for a mate in N plies, it is `MATE` minus N.
const MATE: i32 = 30_000;
const CENTIPAWNS_MAX: i32 = 25_000;

/// The first line of the comma-separated text: the column names.
const COLUMNS: &str = "fen,uci,cp,mate,depth\n";

/// Whether a string begins like the output of cdbdirect.
pub(crate) fn begins(text: &[u8]) -> bool {
    BEGINS.iter().any(|begins| text.starts_with(begins))
}

/// Replaces the output of cdbdirect with an input that supplies the same values as comma-separated text;
/// leaves the text of any other input unchanged.
///
/// # Errors
///
/// Fails if the input cannot be read.
pub(crate) fn as_text(input: Input) -> Result<Input> {
    let path = input.regular_file()?.map(ToOwned::to_owned);
    let name = input.name().to_owned();
    let refused = |source| Error::Read { path: name.clone().into(), offset: 0, source };
    let mut head = Vec::new();
    let mut read_head =
        |stream: &mut dyn Read| stream.take(BEGINS[1].len() as u64).read_to_end(&mut head).map_err(refused);
    let stream: Box<dyn Read + Send> = if let Some(path) = path {
        let mut file = File::open(path).map_err(refused)?;
        read_head(&mut file)?;
        if !begins(&head) {
            return Ok(input);
        }
        Box::new(file)
    } else {
        let mut stream = input.into_stream()?;
        read_head(&mut stream)?;
        stream
    };
    let is_printed = begins(&head);
    let text = io::Cursor::new(head).chain(stream);
    if !is_printed {
        return Ok(Input::stream(name, text));
    }
    let mut printed = Screen::default();
    let lines = BufReader::new(text).lines().map(move |line| line.map(|line| printed.rows(&line)));
    Ok(Input::stream(name, AsText::new(COLUMNS.to_owned(), lines)))
}

/// The state of the parser between two lines.
#[derive(Default)]
struct Screen {
    fen: String,
    /// Whether the position already has a value, which is that of its best move; the best move is printed
    /// first.
    has_value: bool,
}

impl Screen {
    /// Returns the rows for a line. For an unknown line it returns a row with too few columns, which is
    /// rejected later.
    fn rows(&mut self, line: &str) -> String {
        let line = line.trim();
        if let Some(fen) = line.strip_prefix("Probing: ") {
            *self = Self { fen: fen.to_owned(), has_value: false };
            return String::new();
        }
        let Some((mv, value)) = line.split_once(" : ") else {
            let is_known = line.is_empty() || WITHOUT_VALUE.iter().any(|begins| line.starts_with(begins));
            return if is_known { String::new() } else { format!("{line}\n") };
        };
        let row = |mv: &str| format!("{},{mv},{},0\n", self.fen, columns(value));
        let of_position = if self.has_value { String::new() } else { row("") };
        let of_move = row(mv);
        self.has_value = true;
        of_position + &of_move
    }
}

/// Formats a value as the columns `cp` and `mate`.
fn columns(value: &str) -> String {
    match value.parse::<i32>() {
        Ok(value) if value.unsigned_abs() > CENTIPAWNS_MAX.unsigned_abs() => {
            let plies = MATE.saturating_sub(value.saturating_abs());
            format!(",{}", value.signum() * (plies + 1) / 2)
        }
        _ => format!("{value},"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
Reading FENs from: some.epd
-------------------------------------------------------------
Probing: rnbqkb1r/p1pp2pp/1p3n2/5p2/2P5/2NP4/PP3PPP/R1BQKBNR w KQkq -
    f1e2 : 96
    g2g3 : -56
    Distance to startpos equal or less than 10
Required time: 112.503 microsec.
-------------------------------------------------------------
Probing: 7k/8/5KQ1/8/8/8/8/8 w - -
    g6g7 : 29999
    f6f7 : -29996
    Distance to startpos unknown
Required time: 95.791 microsec.
-------------------------------------------------------------
Probing: r1bqkb1r/ppp2ppp/4pn2/8/3p4/1B1P1Q2/PPP2PPP/RNB1K2R w KQkq -
Fen not found in DB!
Required time: 95.791 microsec.
Segmentation fault
";

    const ROWS: &str = "\
fen,uci,cp,mate,depth
rnbqkb1r/p1pp2pp/1p3n2/5p2/2P5/2NP4/PP3PPP/R1BQKBNR w KQkq -,,96,,0
rnbqkb1r/p1pp2pp/1p3n2/5p2/2P5/2NP4/PP3PPP/R1BQKBNR w KQkq -,f1e2,96,,0
rnbqkb1r/p1pp2pp/1p3n2/5p2/2P5/2NP4/PP3PPP/R1BQKBNR w KQkq -,g2g3,-56,,0
7k/8/5KQ1/8/8/8/8/8 w - -,,,1,0
7k/8/5KQ1/8/8/8/8/8 w - -,g6g7,,1,0
7k/8/5KQ1/8/8/8/8/8 w - -,f6f7,,-2,0
Segmentation fault
";

    fn text_of(input: Input) -> String {
        let mut text = String::new();
        as_text(input).unwrap().into_stream().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_printed_becomes_rows() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("printed");
        std::fs::write(&path, PRINTED).unwrap();
        assert_eq!(text_of(Input::file(&path)), ROWS);
        assert_eq!(text_of(Input::stream("-", PRINTED.as_bytes())), ROWS);
        let values = &PRINTED[PRINTED.find("Probing").unwrap()..];
        assert_eq!(text_of(Input::stream("-", values.as_bytes())), ROWS);
        for other in ["fen,cp,depth\n", ""] {
            assert_eq!(text_of(Input::stream("-", other.as_bytes())), other);
        }
    }
}
