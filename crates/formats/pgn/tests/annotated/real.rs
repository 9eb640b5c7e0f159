//! Real files: how many games have evaluations, and in which style.

use std::collections::BTreeMap;

use pgn::{
    annotated::{AnnotatedGame, AnnotatedReader, Style},
    input::{ChunkOptions, Input},
    verdict::Verdict,
};

use crate::reading::strict;

/// What a file has besides its moves.
#[derive(Debug, Default, Eq, PartialEq)]
struct Found {
    accepted: usize,
    /// Games and moves with an evaluation, by style.
    evaluated: BTreeMap<Style, (usize, usize)>,
    /// Moves with a depth, time left, time used, judgement of the move, from a book.
    depths: usize,
    clocks: usize,
    times: usize,
    nags: usize,
    book: usize,
}

impl Found {
    fn of(name: &str) -> Option<Self> {
        let path = testing::corpus(&format!("{name}.pgn.zst"))?;
        let mut options = strict();
        options.replay.counting.from_position = true;
        let chunks = ChunkOptions { threads: 2, ..ChunkOptions::default() };
        let mut found = Self::default();
        for batch in AnnotatedReader::open(vec![Input::file(path)], &chunks, &options).unwrap() {
            batch.unwrap().games().for_each(|game| found.game(&game));
        }
        Some(found)
    }

    fn game(&mut self, game: &AnnotatedGame<'_>) {
        self.accepted += usize::from(matches!(game.verdict, Verdict::Accepted { .. }));
        let mut styles = BTreeMap::<Style, usize>::new();
        for notes in game.plies.iter().map(|ply| ply.notes) {
            if let Some(style) = notes.style {
                *styles.entry(style).or_default() += 1;
            }
        }
        for (style, moves) in styles {
            let (games, all) = self.evaluated.entry(style).or_default();
            (*games, *all) = (*games + 1, *all + moves);
        }
        for notes in game.plies.iter().map(|ply| ply.notes) {
            self.depths += usize::from(notes.depth.is_some());
            self.clocks += usize::from(notes.clock_left_ms.is_some());
            self.times += usize::from(notes.time_used_ms.is_some());
            self.nags += usize::from(notes.nag.is_some());
            self.book += usize::from(notes.is_book);
        }
    }
}

#[track_caller]
fn holds(name: &str, reviewed: &Found) {
    if let Some(found) = Found::of(name) {
        assert_eq!(found, *reviewed, "{name}");
    }
}

fn evaluated<const N: usize>(styles: [(Style, (usize, usize)); N]) -> BTreeMap<Style, (usize, usize)> {
    styles.into()
}

/// The counts of evaluations and clocks were checked with python-chess and patterns of their own.
/// Python-chess reads the same from every game that both accept, except games whose text has a blank line, or
/// has none before the next game.
#[test]
fn games_of_tcec_have_a_value_for_every_move_out_of_book() {
    let evaluated = evaluated([(Style::Tcec, (1227, 158_792))]);
    let (depths, clocks, times) = (158_792, 158_779, 158_792);
    holds("tcec-a", &Found { accepted: 1228, evaluated, depths, clocks, times, book: 10_891, nags: 0 });
}

#[test]
fn engine_matches_have_four_styles() {
    let evaluated = evaluated([
        (Style::Lichess, (5, 667)),
        (Style::ChessBase, (960, 156_350)),
        (Style::Cutechess, (5164, 615_542)),
        (Style::Arena, (200, 27_198)),
    ]);
    let (depths, times, book) = (799_090, 799_470, 108_009);
    holds("engine-misc-a", &Found { accepted: 6729, evaluated, depths, clocks: 0, times, book, nags: 47 });
}

#[test]
fn online_games_have_clocks_and_some_of_them_values() {
    let evaluated = evaluated([(Style::Lichess, (96, 5796))]);
    let found = Found { accepted: 9343, evaluated, clocks: 278_984, nags: 1517, ..Found::default() };
    holds("online-clk-eval-a", &found);
}

#[test]
fn games_over_the_board_have_only_clocks() {
    holds("otb-clk-a", &Found { accepted: 1135, clocks: 96_467, ..Found::default() });
}

#[test]
fn a_messy_collection_has_a_little_of_everything() {
    let evaluated = evaluated([
        (Style::Lichess, (73, 7182)),
        (Style::ChessBase, (1, 1)),
        (Style::Cutechess, (1054, 110_922)),
    ]);
    let (depths, clocks, times, nags, book) = (110_923, 197_157, 116_401, 37_067, 12_648);
    holds("annotated-messy-a", &Found { accepted: 44_611, evaluated, depths, clocks, times, nags, book });
}
