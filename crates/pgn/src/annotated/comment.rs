//! What programs write into comments: evaluations, depths, clocks.
//!
//! | style | example | view | source |
//! |---|---|---|---|
//! | [`Style::Lichess`] | `[%eval 0.25] [%clk 0:10:00]`, `[%eval #-3]` | White | lichess-org/database, notes on its files |
//! | [`Style::ChessBase`] | `[%eval 35,18] [%emt 0:00:13]`, `[%eval 32764,40]` | White | real files (see below) |
//! | [`Style::Cutechess`] | `+0.35/12 1.2s`, `-M4/20 0.1s` | mover | cutechess, `MoveEvaluation` in `moveevaluation.cpp` |
//! | [`Style::Arena`] | `(e2e4) +0.35/12 5` | mover | real files |
//! | [`Style::Tcec`] | `d=30, mt=37918, tl=1765082, wv=0.25,`; `ev=0.25, d=30, mt=00:00:13,` | White | TCEC's archive; `wv` is "white's value" |
//!
//! Views were checked on thousands of decided games of each style: the winner's side has the better values in over 95 %
//! of them. A few programs write the form of cutechess with White's view; nothing in their files tells them apart.
//!
//! Mates: Lichess counts moves. Cutechess and TCEC count plies up to the mate (`+M5`, `-M4`, `+M3` follow each other).
//! ChessBase counts down from 32768, two for each move: 32766 is a mate in one.

use std::str::FromStr;

use shakmaty::Color;

use super::{Evaluation, Notes, Style};

/// What ChessBase's evaluations count down from; and where mates begin.
const CHESSBASE_MATE: i32 = 32_768;
const CHESSBASE_MATE_LEAST: i32 = 32_000;

/// Reads one comment after a move of `mover`; what it tells goes into `notes`.
pub(super) fn read(comment: &[u8], mover: Color, notes: &mut Notes) {
    // Everything looked for is ASCII, so what is not can be anything.
    let Ok(text) = std::str::from_utf8(comment)
        .map(str::trim)
        .or_else(|error| std::str::from_utf8(&comment[..error.valid_up_to()]).map(str::trim))
    else {
        return;
    };
    if text.contains("[%") {
        commands(text, notes);
    } else if text.contains("wv=") || text.contains("ev=") || text.contains("mt=") {
        fields(text, notes);
    } else if let Some(found) = Scored::read(text) {
        found.note(mover, notes);
    } else if let Some(seconds) = seconds(text) {
        notes.time_used_ms = Some(seconds);
    }
    notes.is_book |= text == "book" || text.starts_with("book,");
}

/// `[%name value]`, anywhere in the comment.
fn commands(text: &str, notes: &mut Notes) {
    for command in text.split("[%").skip(1) {
        let Some((name, value)) =
            command.split(']').next().and_then(|command| command.split_once(char::is_whitespace))
        else {
            continue;
        };
        let value = value.trim();
        match name {
            "eval" => {
                if let Some((evaluation, depth, style)) = eval_command(value) {
                    notes.evaluate(evaluation, depth, style);
                }
            }
            "clk" => notes.clock_left_ms = clock(value).or(notes.clock_left_ms),
            "emt" => notes.time_used_ms = clock(value).or(notes.time_used_ms),
            _ => {}
        }
    }
}

/// The value of `[%eval …]`: pawns or `#moves`, with a depth or without; or ChessBase's centipawns, which have one.
fn eval_command(value: &str) -> Option<(Evaluation, Option<u16>, Style)> {
    let (score, depth) =
        value.split_once(',').map_or((value, None), |(score, depth)| (score, number(depth.trim())));
    if let Some(moves) = score.strip_prefix('#') {
        return Some((mate(number(moves)?)?, depth, Style::Lichess));
    }
    if depth.is_none() || score.contains('.') {
        return Some((Evaluation::Pawns(decimal(score)?), depth, Style::Lichess));
    }
    let centipawns: i32 = number(score).filter(|score: &i32| score.unsigned_abs() < CHESSBASE_MATE as u32)?;
    let evaluation = if centipawns.abs() > CHESSBASE_MATE_LEAST {
        mate((CHESSBASE_MATE - centipawns.abs()) / 2 * centipawns.signum())?
    } else {
        Evaluation::Pawns(centipawns as f32 / 100.0)
    };
    Some((evaluation, depth, Style::ChessBase))
}

/// `key=value` between commas.
fn fields(text: &str, notes: &mut Notes) {
    // Some files have the depth in one comment and the value in the next.
    let (mut evaluation, mut depth) = (None, notes.depth);
    for (key, value) in text.split(',').filter_map(|field| field.trim().split_once('=')) {
        let value = value.trim();
        match key {
            "wv" | "ev" => evaluation = white_value(value).or(evaluation),
            "d" => depth = number(value).or(depth),
            "mt" => notes.time_used_ms = milliseconds(value).or(notes.time_used_ms),
            "tl" => notes.clock_left_ms = milliseconds(value).or(notes.clock_left_ms),
            _ => {}
        }
    }
    notes.depth = depth;
    if let Some(evaluation) = evaluation {
        notes.evaluate(evaluation, depth, Style::Tcec);
    }
}

/// A value of White's view: pawns, or `M` and plies.
fn white_value(value: &str) -> Option<Evaluation> {
    Score::read(value).map(|score| score.seen_by(Color::White))
}

/// A value as cutechess spells it.
#[derive(Clone, Copy)]
enum Score {
    Pawns(f32),
    /// Mates in so many plies; is mated if negative.
    MatePlies(i32),
}

impl Score {
    fn read(text: &str) -> Option<Self> {
        let (sign, rest) = match text.as_bytes().first()? {
            b'-' => (-1, &text[1..]),
            b'+' => (1, &text[1..]),
            _ => (1, text),
        };
        match rest.strip_prefix('M') {
            Some(plies) if plies.starts_with(|first: char| first.is_ascii_digit()) => {
                Some(Self::MatePlies(sign * number::<i32>(plies)?.max(1)))
            }
            Some(_) => None,
            None => decimal(text).map(Self::Pawns),
        }
    }

    /// The evaluation, White's view, of a score of that side's view.
    fn seen_by(self, side: Color) -> Evaluation {
        match self {
            Self::Pawns(pawns) => Evaluation::Pawns(side.fold_wb(pawns, 0.0 - pawns)),
            Self::MatePlies(plies) => {
                let moves = plies.signum() * ((plies.abs() + 1) / 2);
                Evaluation::Mate(side.fold_wb(moves, -moves))
            }
        }
    }
}

/// `+0.35/12 1.2s` or `(e2e4) +0.35/12 5`, whatever follows after a comma.
struct Scored {
    score: Score,
    depth: u16,
    time_used_ms: Option<u64>,
    style: Style,
}

impl Scored {
    fn read(text: &str) -> Option<Self> {
        let (text, style) = match text.strip_prefix('(') {
            Some(line) => (line.split_once(')')?.1.trim_start(), Style::Arena),
            None => (text, Style::Cutechess),
        };
        let (score, rest) = text.split_once('/')?;
        // A fraction such as `1/2` is no score.
        let is_score = score.contains(['.', 'M', '+', '-']);
        let rest = rest.split(',').next().unwrap_or_default().trim();
        let (depth, time) = rest
            .split_once(char::is_whitespace)
            .map_or((rest, None), |(depth, time)| (depth, Some(time.trim())));
        let time_used_ms = match (time, style) {
            (None, _) => None,
            (Some(time), Style::Arena) => Some(number::<u64>(time)?.checked_mul(1000)?),
            (Some(time), _) => Some(seconds(time)?),
        };
        let score = Score::read(score).filter(|_| is_score)?;
        Some(Self { score, depth: number(depth)?, time_used_ms, style })
    }

    fn note(self, mover: Color, notes: &mut Notes) {
        notes.evaluate(self.score.seen_by(mover), Some(self.depth), self.style);
        notes.time_used_ms = self.time_used_ms.or(notes.time_used_ms);
    }
}

impl Notes {
    fn evaluate(&mut self, evaluation: Evaluation, depth: Option<u16>, style: Style) {
        (self.evaluation, self.depth, self.style) = (Some(evaluation), depth, Some(style));
    }
}

/// A mate in `moves`, at least one: a mate on the board counts as the one that was just given.
fn mate(moves: i32) -> Option<Evaluation> {
    (moves != 0).then_some(Evaluation::Mate(moves))
}

/// A time of TCEC: milliseconds, or `h:mm:ss`.
fn milliseconds(value: &str) -> Option<u64> {
    if value.contains(':') { clock(value) } else { number(value) }
}

/// `1.2s` in milliseconds.
fn seconds(value: &str) -> Option<u64> {
    clock(value.strip_suffix('s')?)
}

/// `h:mm:ss`, `mm:ss` or `ss`, with a fraction or without, in milliseconds.
fn clock(value: &str) -> Option<u64> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let mut total = 0_u64;
    for part in whole.split(':') {
        total = total.checked_mul(60)?.checked_add(number(part)?)?;
    }
    let digits = fraction.get(..fraction.len().min(3))?;
    let part: u64 = if digits.is_empty() { 0 } else { number(digits)? };
    total.checked_mul(1000)?.checked_add(part * 10_u64.pow(3 - digits.len() as u32))
}

/// A decimal number, spelt with digits, a sign and a point alone.
fn decimal(text: &str) -> Option<f32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-'));
    text.parse().ok().filter(|number: &f32| plain && number.is_finite())
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}
