//! Reads whole games with the notes on their moves.

use pgn::{
    annotated::{AnnotatedGame, AnnotatedOptions, AnnotatedReader, Evaluation, Form, Notes},
    input::{ChunkOptions, Input},
    replay::CountingOptions,
};

/// Reads a text and returns what `of_game` makes of each game.
pub(crate) fn each<T>(
    text: &str,
    options: &AnnotatedOptions,
    of_game: impl Fn(&AnnotatedGame<'_>) -> T,
) -> Vec<T> {
    let input = Input::stream("-", std::io::Cursor::new(text.to_owned().into_bytes()));
    let reader = AnnotatedReader::open(vec![input], &ChunkOptions::default(), options).unwrap();
    let batches = reader.map(Result::unwrap);
    batches.flat_map(|batch| batch.games().map(|game| of_game(&game)).collect::<Vec<_>>()).collect()
}

/// All moves of all games.
pub(crate) fn strict() -> AnnotatedOptions {
    AnnotatedOptions {
        replay: CountingOptions { max_ply: 0, ..CountingOptions::default() }.into(),
        form: Form::Finished,
    }
}

pub(crate) fn loose() -> AnnotatedOptions {
    AnnotatedOptions { form: Form::Loose, ..strict() }
}

/// A game's moves, each with its notes: `e2e4$1 +0.25/12 Lichess`.
pub(crate) fn moves(game: &AnnotatedGame<'_>) -> Vec<String> {
    game.plies.iter().map(|ply| format!("{}{}", ply.mv, notes(&ply.notes))).collect()
}

fn notes(notes: &Notes) -> String {
    let mut text = String::new();
    let mut add =
        |sign: &str, value: Option<String>| text.extend(value.map(|value| format!("{sign}{value}")));
    add("$", notes.nag.map(|nag| nag.to_string()));
    add("$", notes.assessment.map(|nag| nag.to_string()));
    add(
        " ",
        notes.evaluation.map(|evaluation| match evaluation {
            Evaluation::Pawns(pawns) => format!("{pawns}"),
            Evaluation::Mate(moves) => format!("#{moves}"),
        }),
    );
    add("/", notes.depth.map(|depth| depth.to_string()));
    add(" ", notes.style.map(|style| format!("{style:?}")));
    add(" left ", notes.clock_left_ms.map(|time| time.to_string()));
    add(" used ", notes.time_used_ms.map(|time| time.to_string()));
    add(" ", notes.is_book.then(|| "book".to_owned()));
    text
}
