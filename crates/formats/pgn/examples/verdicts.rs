//! What becomes of the games of PGN files, plain or `.zst`: counts by verdict, and a few rejected games for
//! each reason.
//!
//! ```sh
//! cargo run --release -p tabia-pgn --example verdicts -- [--samples N] [--max-ply N] [--tokens] games.pgn …
//! ```
//!
//! Whole games are replayed unless `--max-ply` says less; `--tokens` only reads the movetext, to time it
//! alone.
#![expect(clippy::print_stdout, reason = "a program for people at a terminal")]

use std::{collections::BTreeMap, error::Error, fs, time::Instant};

use pgn::{
    input::{LineEnds, PieceKind, games},
    movetext::Movetext,
    replay::{CountingOptions, Replay},
    tags::TagBuffer,
    verdict::{Rejection, Verdict},
};

const ZSTD_MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

#[derive(Default)]
struct Settings {
    samples: usize,
    max_ply: u32,
    tokens: bool,
    files: Vec<String>,
}

/// Games of one verdict: how many, and some of them by offset and what was wrong.
#[derive(Default)]
struct Class {
    games: usize,
    samples: Vec<(usize, Rejection)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let settings = settings()?;
    for file in &settings.files {
        let bytes = fs::read(file)?;
        let text = if bytes.starts_with(&ZSTD_MAGIC) { zstd::decode_all(&bytes[..])? } else { bytes };
        if settings.tokens {
            time_tokens(file, &text);
        } else {
            print_verdicts(file, &text, &settings);
        }
    }
    Ok(())
}

fn settings() -> Result<Settings, Box<dyn Error>> {
    let mut settings = Settings::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--samples" => settings.samples = arguments.next().ok_or("--samples needs a number")?.parse()?,
            "--max-ply" => settings.max_ply = arguments.next().ok_or("--max-ply needs a number")?.parse()?,
            "--tokens" => settings.tokens = true,
            _ => settings.files.push(argument),
        }
    }
    Ok(settings)
}

/// Reads every game's movetext without playing a move.
fn time_tokens(file: &str, text: &[u8]) {
    let mut buffer = TagBuffer::default();
    let pieces = games(text, LineEnds::of(text));
    let texts: Vec<_> = pieces.map(|piece| (piece.text, buffer.read(piece.text).movetext_at)).collect();
    let started = Instant::now();
    let tokens: usize = texts.iter().map(|&(text, at)| Movetext::new(text, at).count()).sum();
    let seconds = started.elapsed().as_secs_f64();
    let (games, each) = (texts.len(), started.elapsed().as_nanos() / tokens.max(1) as u128);
    println!("{file}: {games} games, {tokens} tokens in {seconds:.3} s: {each} ns a token");
}

fn print_verdicts(file: &str, text: &[u8], settings: &Settings) {
    let mut replay =
        Replay::new(&CountingOptions { max_ply: settings.max_ply, ..CountingOptions::default() }.into());
    let mut classes = BTreeMap::<String, Class>::new();
    let (mut total, mut observations) = (0_usize, 0_usize);
    let started = Instant::now();
    for piece in games(text, LineEnds::of(text)) {
        let verdict = match piece.kind {
            PieceKind::Game => replay.game(piece.text),
            PieceKind::Fragment => Verdict::Rejected(Rejection::fragment(piece.text)),
            PieceKind::Oversized => replay.too_large(piece.text),
        };
        total += 1;
        match verdict {
            Verdict::Accepted { .. } => observations += replay.observations().len(),
            Verdict::Filtered(filter) => classes.entry(format!("filtered: {filter}")).or_default().games += 1,
            Verdict::Copy(_) => classes.entry("copy".into()).or_default().games += 1,
            Verdict::Rejected(rejection) => {
                let class = classes.entry(rejection.reason.to_string()).or_default();
                class.games += 1;
                if class.samples.len() < settings.samples {
                    class.samples.push((piece.offset, rejection));
                }
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{file}: {total} games, {observations} observations in {seconds:.2} s");
    for (name, class) in &classes {
        let per_100_000 = class.games * 100_000 / total;
        let (whole, thousandths) = (per_100_000 / 1000, per_100_000 % 1000);
        println!("  {name:<18} {:>8} {whole:>3}.{thousandths:03} %", class.games);
        for (offset, Rejection { ply, text, .. }) in &class.samples {
            let ply = ply.map_or(String::new(), |ply| format!(" ply {ply}"));
            println!("    at {offset}{ply}: {text}");
        }
    }
}
