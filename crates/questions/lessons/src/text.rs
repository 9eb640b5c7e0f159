//! Reads one player's games from PGN text.

use pgn::{
    annotated::{AnnotatedGame, AnnotatedOptions, AnnotatedReader, Form},
    input::{ChunkOptions, Input},
    replay::CountingOptions,
    verdict::Verdict,
};
use shakmaty::Color;

use crate::PlayedGame;

/// The games of `player` in `text`, in order. A game is returned once for each side that the player played.
/// Games may begin at any position. Games of other players, and games that cannot be read, are left out.
///
/// # Errors
///
/// Fails if the text cannot be read as PGN at all.
pub fn games_in(text: &[u8], player: &str) -> pgn::Result<Vec<Vec<PlayedGame>>> {
    let counting = CountingOptions { from_position: true, max_ply: 0, ..CountingOptions::default() };
    let options = AnnotatedOptions { replay: counting.into(), form: Form::Unfinished };
    let input = Input::stream("games", std::io::Cursor::new(text.to_vec()));
    let mut games = Vec::new();
    for batch in AnnotatedReader::open(vec![input], &ChunkOptions::default(), &options)? {
        let batch = batch?;
        let read = batch.games().filter(|game| matches!(game.verdict, Verdict::Accepted { .. }));
        games.extend(read.map(|game| sides(&game, player)).filter(|sides| !sides.is_empty()));
    }
    Ok(games)
}

/// Returns the game once for each side that `player` played, from that side's point of view.
fn sides(game: &AnnotatedGame<'_>, player: &str) -> Vec<PlayedGame> {
    let is_own = |side: &Color| {
        let name = game.tag(side.fold_wb("White", "Black")).unwrap_or_default();
        name.trim() == player.trim()
    };
    Color::ALL.into_iter().filter(is_own).map(|own| PlayedGame::of_pgn(game, own)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_player_from_all_its_sides() {
        let game = |white, black, result| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{+0.35/12}} e5 {result}\n\n"
            )
        };
        let text =
            game("a", "b", "1-0") + &game("b", "c", "1-0") + &game("b", "a", "*") + &game("a", "a", "0-1");
        let games = games_in(text.as_bytes(), "a").unwrap();
        let own: Vec<Vec<_>> =
            games.iter().map(|sides| sides.iter().map(|side| side.own).collect()).collect();
        assert_eq!(own, [vec![Color::White], vec![Color::Black], vec![Color::White, Color::Black]]);
        assert_eq!(games[1][0].outcome, None);
        assert!(games_in(text.as_bytes(), "d").unwrap().is_empty());
    }
}
