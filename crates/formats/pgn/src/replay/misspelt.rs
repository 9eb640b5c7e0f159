//! Plays moves that are not valid SAN, provided that exactly one legal move matches.

use position::{Board, Ply};
use shakmaty::{
    CastlingSide, File, Role, Square,
    san::{San, SanError},
};

use crate::misspelling::Misspelling;

/// Plays the only legal move that matches `san`. The move's text, `word`, is not valid SAN.
///
/// # Errors
///
/// Fails unless exactly one legal move matches; on failure, the board is unchanged.
#[cold]
pub(super) fn play(board: &mut Board, san: San, word: &[u8]) -> Result<(Ply, Misspelling), SanError> {
    let San::Normal { role, file, rank, capture, to, promotion } = san else {
        return Err(SanError::IllegalSan);
    };
    let from = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
    if let (Role::Pawn, Some(from), Some(b'a'..=b'h')) = (role, from, word.first()) {
        let ply = board.play_squares(from, to, capture, promotion)?;
        return Ok((ply, Misspelling::Coordinates));
    }
    if role == Role::King && !capture && castles(board, (file, rank), to) {
        let side = CastlingSide::from_king_side(to.file() == File::G);
        if let Ok(ply) = board.play_san(&San::Castle(side)) {
            return Ok((ply, Misspelling::Coordinates));
        }
    }
    // A `-` between two squares only separates them; any other `-` means that nothing is captured.
    let is_quiet = capture || from.is_none() && word.contains(&b'-');
    if is_quiet || role == Role::Pawn && file.is_none() {
        return Err(SanError::IllegalSan);
    }
    let ply = board.play_san(&San::Normal { role, file, rank, capture: true, to, promotion })?;
    Ok((ply, Misspelling::CapturesWithoutX))
}

/// Whether a king move to this square may be castling. If the text states a file or a rank, it must be that
/// of the king's home square.
fn castles(board: &Board, (file, rank): (Option<File>, Option<shakmaty::Rank>), to: Square) -> bool {
    let home = board.turn().backrank();
    matches!(to.file(), File::C | File::G)
        && to.rank() == home
        && file.is_none_or(|file| file == File::E)
        && rank.is_none_or(|rank| rank == home)
}

#[cfg(test)]
mod tests {
    use crate::{
        Misspelling,
        filter::Filters,
        replay::{CountingOptions, Replay, ReplayOptions, ResultFrom, TextOptions},
        verdict::Verdict,
    };

    fn counting() -> CountingOptions {
        CountingOptions { max_ply: 0, ..CountingOptions::default() }
    }

    fn strict() -> CountingOptions {
        CountingOptions { text: TextOptions { strict_san: true, ..TextOptions::default() }, ..counting() }
    }

    /// Replays a game and returns the verdict in short form. For an accepted game, this is the number of
    /// plies and the misspellings that were read leniently.
    fn judged(options: impl Into<ReplayOptions>, text: &str) -> String {
        match Replay::new(&options.into()).game(text.as_bytes()) {
            Verdict::Accepted { plies, misspellings, .. } => {
                let kinds =
                    misspellings.iter().map(|(kind, times)| format!(" {times} {}", <&str>::from(kind)));
                format!("+{plies}{}", kinds.collect::<String>())
            }
            Verdict::Rejected(why) => format!("{} {}", why.reason, why.text),
            other => format!("{other:?}"),
        }
    }

    /// Checks that a game with these moves gets the verdict `leniently` in lenient reading, and `strictly` in
    /// strict reading.
    #[track_caller]
    fn reads(moves: &str, leniently: &str, strictly: &str) {
        let text = format!("[Event \"\"]\n[Result \"1-0\"]\n\n{moves}");
        assert_eq!(judged(counting(), &text), leniently, "{moves}");
        assert_eq!(judged(strict(), &text), strictly, "{moves}");
    }

    #[test]
    fn coordinates_are_moves_of_any_piece() {
        reads("e2e4 e7e5 g1f3 b8-c6 f1b5 g8f6 e1g1", "+7 5 coordinates", "illegal-move g1f3");
        reads("d2d4 d7d5 b1c3 c8f5 c1f4 b8c6 d1d2 d8d7 e1-c1 e8a8", "+10 8 coordinates", "illegal-move b1c3");
        reads("e4 d5 e4d5 d8d5 Ke1e2", "+5 2 coordinates", "illegal-move e4d5");
        reads("e4 d5 e4-d5 Qd8-d5", "+4 1 coordinates 1 captures-without-x", "illegal-move e4-d5");
        reads("e4 e5 Nf3 Nc6 Bb5 Nf6 Ke1-g1", "+7 1 coordinates", "illegal-move Ke1-g1");
        reads("a4 b5 axb5 a6 bxa6 Bb7 axb7 h6 b7a8q", "+9 1 coordinates", "illegal-move b7a8q");
        reads("g1f3 e7xe5", "illegal-move e7xe5", "illegal-move g1f3");
        reads("g1xf3", "illegal-move g1xf3", "illegal-move g1xf3");
        reads("Pg1f3", "illegal-move Pg1f3", "illegal-move Pg1f3");
        reads("e1g1", "illegal-move e1g1", "illegal-move e1g1");
        reads("e4e5", "illegal-move e4e5", "illegal-move e4e5");
    }

    #[test]
    fn captures_need_no_x_where_one_fits() {
        reads("e4 d5 ed5 Qd5", "+4 2 captures-without-x", "illegal-move ed5");
        reads("e4 d5 e5 f5 ef6 d4", "+6 1 captures-without-x", "illegal-move ef6");
        reads("a4 b5 ab5 a6 ba6 Bb7 ab7 h6 ba8=Q", "+9 4 captures-without-x", "illegal-move ab5");
        reads("e4 e5 Nf3 d6 Nxd6", "illegal-move Nxd6", "illegal-move Nxd6");
        reads("e4 d5 d5", "illegal-move d5", "illegal-move d5");
        reads("e4 d5 N-d5", "illegal-move N-d5", "illegal-move N-d5");
        let both = "Nf3 e5 Nc3 d6 d4 ed4 Nb5 a6 Nd4";
        reads(both, "ambiguous-move Nd4", "illegal-move ed4");
    }

    #[test]
    fn other_signs_and_gaps_mean_what_pgn_has_for_them() {
        reads(
            "1.e4 d52.e:d5 ♕×d5 3.♘c3 ± Qa51–0",
            "+6 2 capture-signs 2 figurines 1 evaluation-signs 1 typography 1 glued-results 1 glued-numbers",
            "bad-token d52.e:d5",
        );
        reads("e4 ♘f3", "illegal-move ♘f3", "bad-token ♘f3");
        reads("e4 e5 Nf3 Nc6 OO", "bad-token OO", "bad-token OO");
        reads("♘f3 ±", "+1 1 figurines 1 evaluation-signs", "no-moves ♘f3 ±");
        reads("e4 ½–½", "result-mismatch 1-0 ½–½", "bad-token ½–½");
    }

    #[test]
    fn a_prefix_is_kept_up_to_what_no_reader_understands() {
        let keep = CountingOptions { illegal_move: position::IllegalMove::KeepPrefix, ..counting() };
        let text = "[Result \"1-0\"]\n\ne2e4 e7e5 g1f3 b8c6 f1f8 1-0";
        assert_eq!(judged(keep.clone(), text), "+4 2 coordinates");
        assert_eq!(judged(CountingOptions { text: strict().text, ..keep }, text), "+2");
    }

    #[test]
    fn results_in_other_dashes_are_results() {
        let text = "[Result \"0–1\"]\n\ne4";
        assert_eq!(judged(counting(), text), "+1 1 typography");
        assert_eq!(judged(strict(), text), "result-unknown 0–1");
        assert_eq!(judged(counting(), "[Result \"0–1\"]\n\ne4 1-0"), "+1", "as it is read strictly");
        assert_eq!(judged(counting(), "[Result \"0–1\"]\n\ne4 *"), "result-unknown 0–1");
    }

    #[test]
    fn a_broken_tag_rejects_where_it_is_needed() {
        let with = |tag: &str| format!("{tag}\n[Result \"1-0\"]\n\ne4");
        for tag in ["[Annotator \"Krush, I]", "[PlyCount \"57”]", "[White Tal]"] {
            assert_eq!(judged(counting(), &with(tag)), "+1 1 broken-tags");
            assert_eq!(judged(strict(), &with(tag)), format!("invalid-tags {tag}"));
        }
        for tag in ["[Result \"1-0]", "[FEN \"x]", "[Variant Atomic]"] {
            assert_eq!(judged(counting(), &with(tag)), format!("invalid-tags {tag}"));
        }
        let min_elo = Filters { min_elo: Some(1), elo_any: true, ..Filters::default() };
        let rated = with("[WhiteElo \"2400\"]\n[BlackElo \"2400]\n[Site \"x]");
        let options = ReplayOptions { filters: min_elo, ..counting().into() };
        assert_eq!(judged(options, &rated), "invalid-tags [BlackElo \"2400]");
        assert_eq!(judged(counting(), &rated), "+1 2 broken-tags");
        let by = vec![crate::filter::Dimension::Month];
        assert_eq!(
            judged(CountingOptions { by, ..counting() }, &with("[Date \"2014]")),
            "invalid-tags [Date \"2014]"
        );
        let asked =
            Filters { expression: Some("Site = \"x\" or Round = 1".parse().unwrap()), ..Filters::default() };
        let options = ReplayOptions { filters: asked, ..counting().into() };
        assert_eq!(judged(options, &with("[Round \"1\"]\n[Site \"x]")), "invalid-tags [Site \"x]");
        assert_eq!(<Misspelling as strum::VariantArray>::VARIANTS.len(), 10);
    }

    #[test]
    fn one_source_of_the_result_decides() {
        let judge = |result_from, tag: &str, token: &str| {
            let text = TextOptions { result_from, ..TextOptions::default() };
            let options = CountingOptions { text, ..counting() };
            let mut replay = Replay::new(&options.into());
            replay.game(format!("[Result \"{tag}\"]\n\ne4 {token}").as_bytes());
            replay.observations().next().map(position::Observation::outcome_index)
        };
        for (tag, token, both, by_tag, by_moves) in [
            ("1-0", "0-1", None, Some(0), Some(2)),
            ("1-0", "", Some(0), Some(0), Some(0)),
            ("?", "0-1", Some(2), Some(2), Some(2)),
            ("*", "1-0", None, None, Some(0)),
            ("1-0", "*", None, Some(0), None),
        ] {
            assert_eq!(judge(ResultFrom::Both, tag, token), both, "{tag} {token}");
            assert_eq!(judge(ResultFrom::Tag, tag, token), by_tag, "{tag} {token}");
            assert_eq!(judge(ResultFrom::Moves, tag, token), by_moves, "{tag} {token}");
        }
    }

    #[test]
    fn starts_of_chess960_are_a_variant() {
        let options = || CountingOptions { from_position: true, ..counting() };
        let game = |fen: &str| judged(options(), &format!("[FEN \"{fen}\"]\n[Result \"1-0\"]\n\ne4"));
        let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
        assert_eq!(game(start), format!("variant {start}"));
        let shredder = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1";
        assert_eq!(game(shredder), format!("variant {shredder}"));
        assert_eq!(game("8/8/8/8/8/8/8/8 w - - 0 1"), "invalid-tags 8/8/8/8/8/8/8/8 w - - 0 1");
    }
}
