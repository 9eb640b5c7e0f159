//! Converts a game to a row.

use analysis::{GameMove, GameRow, days_since_1970};
use pgn::{
    annotated::{AnnotatedGame, AnnotatedPly, Evaluation},
    filter::{day_of, elos_of},
};
use shakmaty::Role;

/// The row of an accepted game.
pub(super) fn row(game: &AnnotatedGame<'_>) -> GameRow {
    let tag = |name| game.tag(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let [white_elo, black_elo] = elos_of(&game.tags);
    let difference = |name| tag(name).and_then(|text| text.parse().ok());
    let day = |day: u32| days_since_1970((day / 10_000).cast_signed(), day / 100 % 100, day % 100);
    let end = game.plies.last();
    let (evals_cp, evals_mate) = evals(game.plies);
    GameRow {
        event: tag("Event"),
        site: tag("Site"),
        white: tag("White"),
        black: tag("Black"),
        result: game.outcome.map(|outcome| outcome.to_string()),
        white_title: tag("WhiteTitle"),
        black_title: tag("BlackTitle"),
        white_elo: white_elo.and_then(|elo| elo.try_into().ok()),
        black_elo: black_elo.and_then(|elo| elo.try_into().ok()),
        white_rating_diff: difference("WhiteRatingDiff"),
        black_rating_diff: difference("BlackRatingDiff"),
        utc_date: day_of(&game.tags).and_then(day),
        utc_time: tag("UTCTime").and_then(|text| seconds(&text)),
        eco: tag("ECO"),
        opening: tag("Opening"),
        termination: tag("Termination"),
        time_control: tag("TimeControl"),
        end_key: end.map(|ply| ply.step.child(ply.key, ply.mv)),
        moves: game.plies.iter().map(played).collect(),
        keys: game.plies.iter().map(|ply| ply.key).collect(),
        evals_cp,
        evals_mate,
        clocks: clocks(game.plies),
    }
}

/// Converts a time such as `12:34:56` to seconds since midnight.
fn seconds(text: &str) -> Option<u32> {
    let mut parts = text.split(':').map(|part| part.parse::<u32>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    (hours < 24 && minutes < 60 && seconds < 60 && parts.next().is_none())
        .then_some(hours * 3600 + minutes * 60 + seconds)
}

fn played(ply: &AnnotatedPly) -> GameMove {
    let files = ply.mv.from().file().distance(ply.mv.to().file());
    GameMove { packed: ply.mv, castles: ply.step.role() == Some(Role::King) && files > 1 }
}

/// The evaluations of the moves, as a list in hundredths of a pawn and a list in moves to mate. Both lists
/// are empty if no move has an evaluation.
fn evals(plies: &[AnnotatedPly]) -> (Vec<Option<i32>>, Vec<Option<i32>>) {
    if plies.iter().all(|ply| ply.notes.evaluation.is_none()) {
        return (Vec::new(), Vec::new());
    }
    let eval = |ply: &AnnotatedPly| match ply.notes.evaluation {
        Some(Evaluation::Pawns(pawns)) => (Some((pawns * 100.0).round() as i32), None),
        Some(Evaluation::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    plies.iter().map(eval).unzip()
}

/// The clock times after the moves in seconds; empty if no move has one.
#[expect(clippy::cast_precision_loss, reason = "a clock's hundredths of seconds are exact for days")]
fn clocks(plies: &[AnnotatedPly]) -> Vec<Option<f32>> {
    if plies.iter().all(|ply| ply.notes.clock_left_ms.is_none()) {
        return Vec::new();
    }
    plies.iter().map(|ply| ply.notes.clock_left_ms.map(|ms| ms as f32 / 1000.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_one_of_a_day() {
        assert_eq!(seconds("00:00:00"), Some(0));
        assert_eq!(seconds("23:59:59"), Some(86_399));
        for none in ["24:00:00", "12:60:00", "12:34:60", "12:34", "12:34:56:78", "12:-1:00", ""] {
            assert_eq!(seconds(none), None, "{none}");
        }
    }
}
