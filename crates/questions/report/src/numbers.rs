//! Formats numbers for people.

use output::grouped;
use position::Tally;
use shakmaty::Color;

/// Formats a number of games, such as `1 game` or `1,234 games`.
pub(crate) fn games(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "game" } else { "games" })
}

/// Formats a ratio from 0 to 1 as a percentage, such as `12.3 %`, and `None` as a dash.
pub(crate) fn percent(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{:.1} %", ratio * 100.0))
}

/// Returns `part / whole`, or `None` if `whole` is 0.
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| position::ratio(part, whole))
}

/// White's score, 0 to 1; `None` if there are no games.
pub(crate) fn score(tally: Tally) -> Option<f64> {
    tally.score(Color::White)
}

/// Half the width of the 95 % confidence interval for White's mean score per game, that is, 1.96 standard
/// errors.
#[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
pub(crate) fn score_error(tally: Tally) -> Option<f64> {
    let score = score(tally)?;
    let games = tally.games() as f64;
    let squares = tally.white as f64 + tally.draws as f64 / 4.0;
    let variance = (squares / games - score * score).max(0.0);
    Some(1.96 * (variance / games).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([games(1), games(2_000)], ["1 game", "2,000 games"]);
        assert_eq!([percent(ratio(1, 3)), percent(ratio(0, 0))], ["33.3 %", "–"]);
    }

    #[test]
    fn the_error_of_a_score_is_that_of_its_games() {
        let tally = |white, draws, black| Tally { white, draws, black };
        let even = score_error(tally(50, 0, 50)).unwrap();
        assert!((even - 0.098).abs() < 1e-9, "{even}");
        assert_eq!(score_error(tally(0, 9, 0)), Some(0.0));
        assert_eq!(score_error(tally(0, 0, 0)), None);
    }
}
