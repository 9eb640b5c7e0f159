//! A small reader of `book.lrn` files for these tests: leniently, and exactly as Crafty's importer.

use learn::crafty::Record;
use position::{Key, PackedMove};
use shakmaty::{Chess, Move, Position as _, san::SanPlus, uci::UciMove};

/// A record with its moves resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) date: String,
    /// All tokens before the brace.
    pub(crate) tokens: Vec<String>,
    /// The legal moves before the first token that is not a legal move.
    pub(crate) plies: Vec<(Key, PackedMove)>,
    pub(crate) value: i64,
    pub(crate) depth: i64,
    pub(crate) rating_difference: i64,
}

impl Read {
    pub(crate) fn record(&self) -> Record<'_> {
        Record {
            white: &self.white,
            black: &self.black,
            plies: &self.plies,
            value: self.value,
            depth: self.depth,
            rating_difference: self.rating_difference,
        }
    }

    fn finish(mut self, braces: &str) -> Self {
        let mut numbers = braces.split_whitespace().map(|number| number.parse().unwrap());
        let mut next = || numbers.next().unwrap();
        (self.value, self.depth, self.rating_difference) = (next(), next(), next());
        self.plies = play(self.tokens.iter().map(String::as_str)).0;
        self
    }
}

/// Records read leniently: any tags, moves up to the brace, three numbers.
pub(crate) fn records(text: &str) -> Vec<Read> {
    let mut records = Vec::new();
    for block in text.split_inclusive('}') {
        let Some((head, braces)) = block.split_once('{') else { continue };
        let mut read = Read::default();
        for line in head.lines() {
            match line.trim().strip_prefix('[').and_then(|tag| tag.split_once(' ')) {
                Some(("White", name)) => read.white = quoted(name),
                Some(("Black", name)) => read.black = quoted(name),
                Some(("Date", date)) => read.date = quoted(date),
                Some(_) => {}
                None => read.tokens.extend(line.split_whitespace().map(str::to_owned)),
            }
        }
        records.push(read.finish(braces.trim_end_matches('}')));
    }
    records
}

/// Records as the importers of 15.17 to 20.14 read them: any three lines, then tokens up to a brace.
pub(crate) fn imported(text: &str) -> Vec<Read> {
    let mut records = Vec::new();
    let mut rest = text;
    loop {
        let mut read = Read::default();
        for _ in 0..3 {
            let Some((line, after)) = rest.split_once('\n') else { return records };
            assert!(line.len() < 79, "no line here is cut by the importer's buffer");
            if line.contains("White") {
                read.white = quoted(line);
            } else if line.contains("Black") {
                read.black = quoted(line);
            }
            rest = after;
        }
        let Some((head, after)) = rest.split_once('{') else { return records };
        let Some((braces, after)) = after.split_once('}') else { return records };
        read.tokens = head.split_whitespace().map(str::to_owned).collect();
        records.push(read.finish(braces));
        rest = after.trim_start();
    }
}

fn quoted(text: &str) -> String {
    text.split('"').nth(1).unwrap_or_default().to_owned()
}

/// Plays tokens from the start position up to the first that is not a legal move.
pub(crate) fn play<'a>(tokens: impl Iterator<Item = &'a str>) -> (Vec<(Key, PackedMove)>, Chess) {
    let mut position = Chess::default();
    let mut plies = Vec::new();
    for token in tokens {
        let Some(mv) = legal(token, &position) else { break };
        plies.push((Key::of(&position), PackedMove::pack(mv)));
        position.play_unchecked(mv);
    }
    (plies, position)
}

/// A token as the importer reads it: digits and points before the move are dropped, squares are accepted
/// instead of SAN.
fn legal(token: &str, position: &Chess) -> Option<Move> {
    let token = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let san = token.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(position).ok());
    san.or_else(|| token.parse::<UciMove>().ok()?.to_move(position).ok())
}
