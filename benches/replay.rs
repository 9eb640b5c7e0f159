//! Reading and replaying games, stage by stage, compared with pgn-reader on the same text. Throughput in
//! games a second.

use std::{fs, hint::black_box, io::Cursor, ops::ControlFlow};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgn::{
    input::{LineEnds, games},
    movetext::Movetext,
    replay::{CountingOptions, Replay},
    tags::TagBuffer,
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position as _};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.pgn");

/// pgn-reader's `validate`, written anew: plays every move and does nothing else.
struct Validate;

impl Visitor for Validate {
    type Tags = ();
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<bool> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<bool, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<bool> {
        match san.san.to_move(position) {
            Ok(m) => {
                position.play_unchecked(m);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(false),
        }
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

fn replay(c: &mut Criterion) {
    let text = fs::read(SAMPLE).unwrap_or_else(|error| panic!("{SAMPLE}: {error}"));
    let ends = LineEnds::of(&text);
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(games(&text, ends).count() as u64));
    group.bench_function("cut", |b| b.iter(|| games(black_box(&text), ends).count()));
    group.bench_function("tags", |b| {
        let mut buffer = TagBuffer::default();
        b.iter(|| games(&text, ends).map(|game| buffer.read(game.text).movetext_at).sum::<usize>());
    });
    group.bench_function("tokens", |b| {
        let mut buffer = TagBuffer::default();
        b.iter(|| {
            let tokens = |game: &[u8]| Movetext::new(game, buffer.read(game).movetext_at).count();
            games(&text, ends).map(|game| game.text).map(tokens).sum::<usize>()
        });
    });
    for (name, max_ply) in [("whole games", 0), ("40 plies", 40)] {
        group.bench_function(name, |b| {
            let mut replay = Replay::new(&CountingOptions { max_ply, ..CountingOptions::default() }.into());
            b.iter(|| {
                let observations = |game: &[u8]| {
                    black_box(replay.game(game));
                    replay.observations().len()
                };
                games(&text, ends).map(|game| game.text).map(observations).sum::<usize>()
            });
        });
    }
    group.bench_function("pgn-reader validate", |b| {
        b.iter(|| {
            Reader::new(Cursor::new(&text))
                .read_games(&mut Validate)
                .filter(|game| matches!(game, Ok(true)))
                .count()
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
