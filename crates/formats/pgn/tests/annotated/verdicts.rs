//! Annotated games are judged as all games are, and given in order.

use pgn::{
    annotated::{AnnotatedOptions, AnnotatedReader, Form},
    filter::Filters,
    input::{ChunkOptions, Input, LineEnds, PieceKind, games},
    replay::{CountingOptions, IllegalMove, Replay, ReplayOptions},
    verdict::{Rejection, Verdict},
};

use crate::reading::{each, moves, strict};

fn sample() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/sample.pgn")).unwrap()
}

#[test]
fn verdicts_and_moves_are_those_of_replay() {
    let text = format!("1. e4 e5\n\n{}", sample());
    let filters = Filters { min_elo: Some(1500), ..Filters::default() };
    let counting =
        CountingOptions { max_ply: 30, illegal_move: IllegalMove::KeepPrefix, ..CountingOptions::default() };
    let replay = ReplayOptions { counting, filters };
    let options = AnnotatedOptions { replay: replay.clone(), form: Form::Finished };
    let found = each(&text, &options, |game| {
        let moves: Vec<_> = game.plies.iter().map(|ply| (ply.key, ply.mv, ply.step)).collect();
        (game.verdict.clone(), game.outcome.map(|outcome| outcome as usize), moves)
    });
    let mut replay = Replay::new(&replay);
    let mut accepted = 0;
    let pieces = games(text.as_bytes(), LineEnds::Lf);
    let expected: Vec<_> = pieces
        .map(|piece| {
            let verdict = match piece.kind {
                PieceKind::Game => replay.game(piece.text),
                _ => return (Verdict::Rejected(Rejection::fragment(piece.text)), None, Vec::new()),
            };
            accepted += usize::from(matches!(verdict, Verdict::Accepted { .. }));
            let played: Vec<_> = replay.observations().collect();
            let outcome = played.first().map(|observation| observation.outcome_index());
            let moves = &played[..played.len().saturating_sub(1)];
            (verdict, outcome, moves.iter().map(|seen| (seen.key(), seen.mv(), seen.step())).collect())
        })
        .collect();
    assert!(found.len() > 2000 && accepted > 500, "{accepted} of {}", found.len());
    assert!(found == expected, "{} games, {} expected", found.len(), expected.len());
}

#[test]
fn threads_and_chunks_change_nothing() {
    let text = sample();
    let read = |threads, chunk_bytes| {
        let input = Input::stream("-", std::io::Cursor::new(text.clone().into_bytes()));
        let options = ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() };
        let reader = AnnotatedReader::open(vec![input], &options, &strict()).unwrap();
        let found = |batch: pgn::Result<pgn::annotated::AnnotatedBatch>| {
            let batch = batch.unwrap();
            let games = batch.games();
            games.map(|game| (game.place, game.number, game.text.to_vec(), moves(&game))).collect::<Vec<_>>()
        };
        reader.flat_map(found).collect::<Vec<_>>()
    };
    let whole = read(1, 1 << 30);
    assert!(whole.iter().map(|game| game.1).eq(1..=whole.len() as u64));
    for (threads, chunk_bytes) in [(2, 10_000), (3, 500), (4, 100_000)] {
        assert!(read(threads, chunk_bytes) == whole, "{threads} threads, chunks of {chunk_bytes}");
    }
}

#[test]
fn tags_start_and_place_are_given() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let text = format!(
        "[Event \"a \\\"b\\\"\"]\n[Result \"*\"]\n\n*\n\n[Event \"c\"]\n[FEN \"{fen}\"]\n\nKd7 $1 1-0\n"
    );
    let mut options = strict();
    options.replay.counting.from_position = true;
    let found = each(&text, &options, |game| {
        (
            game.place.offset,
            game.number,
            game.tag("Event").unwrap().into_owned(),
            game.fen().map(Into::into),
            moves(game),
        )
    });
    assert_eq!(
        found,
        [
            (0, 1, "a \"b\"".to_owned(), None, vec![]),
            (35, 2, "c".to_owned(), Some(fen.to_owned()), vec!["e8d7$1".to_owned()]),
        ]
    );
}

#[test]
fn moves_count_from_a_position_on() {
    let mut options = strict();
    options.replay.counting.line = Some("e4 e5".parse().unwrap());
    let text = "[Event \"x\"]\n\n1. e4! e5? 2. Nf3 $3 Nc6 1-0\n\n[Event \"y\"]\n\n1. d4 1-0\n";
    let found = each(text, &options, |game| (game.first_ply, moves(game)));
    assert_eq!(found, [(2, vec!["g1f3$3".to_owned(), "b8c6".to_owned()]), (0, vec![])]);
    options.replay.counting.max_ply = 3;
    assert_eq!(each(text, &options, moves)[0], ["g1f3$3"]);
}

#[test]
fn unfinished_games_are_read_where_they_are_wanted() {
    let text = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n[Event \"x\"]\n[Result \"*\"]\n\n1. e4 Ke5 *\n\n\
        [Event \"x\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n";
    let of = |form| {
        let options = AnnotatedOptions { form, ..strict() };
        each(text, &options, |game| {
            (matches!(game.verdict, Verdict::Accepted { .. }), game.outcome.is_some())
        })
    };
    assert_eq!(of(Form::Finished), [(false, false), (false, false), (true, true)]);
    assert_eq!(
        of(Form::Unfinished),
        [(true, false), (false, false), (true, true)],
        "an illegal move stays one"
    );
}
