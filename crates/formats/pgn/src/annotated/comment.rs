//! Reads what programs write into comments: evaluations, depths, clocks; [`super`] lists the styles.

use shakmaty::Color;

use super::{
    Evaluation, Notes, Style,
    score::{Score, SearchNote, decimal, number},
    time,
};
use crate::tags::decode;

/// Values in centipawns encode mates by their distance from the ends of the 16-bit range: in real files,
/// 32766 and -32767 mean mate in one, and 32764 and -32765 mean mate in two.
const MATE_END: i32 = 32_768;
const MATE_LEAST: i32 = 32_000;

/// Reads one comment after a move of `mover`, and adds its values to `notes`.
pub(super) fn read(comment: &[u8], mover: Color, notes: &mut Notes) {
    let text = decode(comment);
    let text = text.trim();
    if text.contains("[%") {
        commands(text, notes);
    } else if ["wv=", "ev=", "mt="].iter().any(|key| text.contains(key)) {
        fields(text, notes);
    } else if let Some(searched) = SearchNote::read(text) {
        notes.evaluate(searched.score.seen_by(mover), Some(searched.depth), searched.style);
        notes.time_used_ms = searched.time_used_ms.or(notes.time_used_ms);
    } else {
        notes.time_used_ms = time::seconds(text).or(notes.time_used_ms);
    }
    notes.is_book |= text == "book" || text.starts_with("book,");
}

/// Reads every `[%name value]` in the comment.
fn commands(text: &str, notes: &mut Notes) {
    let commands = text.split("[%").skip(1).filter_map(|command| command.split(']').next());
    for (name, value) in commands.filter_map(|command| command.split_once(char::is_whitespace)) {
        let value = value.trim();
        match name {
            "eval" => {
                if let Some((evaluation, depth, style)) = eval_command(value) {
                    notes.evaluate(evaluation, depth, style);
                }
            }
            "clk" => notes.clock_left_ms = time::clock(value).or(notes.clock_left_ms),
            "emt" => notes.time_used_ms = time::clock(value).or(notes.time_used_ms),
            _ => {}
        }
    }
}

/// Reads the value of `[%eval …]`. A value in pawns, or a mate such as `#3`, may be followed by a depth. A
/// value in centipawns is always followed by a depth.
fn eval_command(value: &str) -> Option<(Evaluation, Option<u16>, Style)> {
    let (score, depth) = value.split_once(',').unwrap_or((value, ""));
    let depth = number(depth.trim());
    if let Some(moves) = score.strip_prefix('#') {
        let moves = number(moves).filter(|&moves: &i32| moves != 0)?;
        return Some((Evaluation::Mate(moves), depth, Style::Lichess));
    }
    if depth.is_none() || score.contains('.') {
        return Some((Evaluation::Pawns(decimal(score)?), depth, Style::Lichess));
    }
    Some((centipawns(number(score)?), depth, Style::ChessBase))
}

fn centipawns(score: i16) -> Evaluation {
    let end = MATE_END - i32::from(score).abs();
    if end < MATE_END - MATE_LEAST {
        return Evaluation::Mate((end + 1).max(2) / 2 * i32::from(score.signum()));
    }
    Evaluation::Pawns(f32::from(score) / 100.0)
}

/// Reads `key=value` between commas.
fn fields(text: &str, notes: &mut Notes) {
    let mut score = None;
    for (key, value) in text.split(',').filter_map(|field| field.trim().split_once('=')) {
        let value = value.trim();
        match key {
            "wv" | "ev" => score = Score::read(value).or(score),
            // Some files put the depth in one comment and the value in the next.
            "d" => notes.depth = number(value).or(notes.depth),
            "mt" => notes.time_used_ms = time::milliseconds(value).or(notes.time_used_ms),
            "tl" => notes.clock_left_ms = time::milliseconds(value).or(notes.clock_left_ms),
            _ => {}
        }
    }
    if let Some(score) = score {
        notes.evaluate(score.seen_by(Color::White), notes.depth, Style::Tcec);
    }
}

impl Notes {
    fn evaluate(&mut self, evaluation: Evaluation, depth: Option<u16>, style: Style) {
        (self.evaluation, self.depth, self.style) = (Some(evaluation), depth, Some(style));
    }
}
