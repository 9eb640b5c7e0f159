//! Tests each style of comments with examples as programs write them.

use crate::reading::{each, moves, strict};

/// Checks the notes on the moves of one game.
#[track_caller]
fn reads_as(movetext: &str, notes: &[&str]) {
    let text = format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{movetext} 1-0\n");
    assert_eq!(each(&text, &strict(), moves), [notes], "{movetext}");
}

#[test]
fn lichess_writes_whites_view_and_the_clock() {
    reads_as(
        "1. e4 { [%eval 0.25] [%clk 0:10:00] } 1... c5 { [%eval -0.3] [%clk 1:09:58.5] } 2. Nf3?! { Inaccuracy. d4 was best. [%eval #-3] } 2... d6 { [%eval #12,40] [%clk 59] } 3. d4 { [%eval 2,18] [%emt 0:00:07] }",
        &[
            "e2e4 0.25 Lichess left 600000",
            "c7c5 -0.3 Lichess left 4198500",
            "g1f3$6 #-3 Lichess",
            "d7d6 #12/40 Lichess left 59000",
            "d2d4 0.02/18 ChessBase used 7000",
        ],
    );
    reads_as(
        "1. e4 {[%eval +1.50,22]} e5 {[%eval 3]} 2. d4 {[%eval x] [%clk 1:x] [%mdl 4]}",
        &["e2e4 1.5/22 Lichess", "e7e5 3 Lichess", "d2d4"],
    );
}

#[test]
fn chessbase_writes_centipawns_and_counts_mates_down() {
    reads_as(
        "1. e4 {[%eval -32,12] [%wdl 1,2,3] [%emt 0:00:13] (c5)} c5 {[%eval 32766,9]} 2. Nf3 {[%eval -32764,9]} d6 {[%eval 32768,9]} 3. d4 {[%eval -32765,9]} cxd4 {[%eval -32767,9]} 4. Nxd4 {[%eval 32000,9]}",
        &[
            "e2e4 -0.32/12 ChessBase used 13000",
            "c7c5 #1/9 ChessBase",
            "g1f3 #-2/9 ChessBase",
            "d7d6",
            "d2d4 #-2/9 ChessBase",
            "c5d4 #-1/9 ChessBase",
            "f3d4 320/9 ChessBase",
        ],
    );
}

#[test]
fn cutechess_writes_the_movers_view_and_counts_plies() {
    reads_as(
        "1. e4 {book} e5 { book } 2. Nf3 {+0.35/12 1.2s} Nc6 {+0.35/12 0.006s} 3. Bb5 {0.00/9 5s} a6 {-M4/20 0.1s} 4. Ba4 {+M5/20 0.1s, White mates} Nf6 {+M1/3} 5. O-O {0.3s}",
        &[
            "e2e4 book",
            "e7e5 book",
            "g1f3 0.35/12 Cutechess used 1200",
            "b8c6 -0.35/12 Cutechess used 6",
            "f1b5 0/9 Cutechess used 5000",
            "a7a6 #2/20 Cutechess used 100",
            "a4a4 #3/20 Cutechess used 100".replace("a4a4", "b5a4").as_str(),
            "g8f6 #-1/3 Cutechess",
            "e1h1 used 300",
        ],
    );
}

#[test]
fn arena_puts_the_expected_answer_first() {
    reads_as(
        "1. e4 {(e7e5) +0.35/12 5} e5 {(Kg1-f1) -1.20/7 0}",
        &["e2e4 0.35/12 Arena used 5000", "e7e5 1.2/7 Arena used 0"],
    );
}

#[test]
fn tcec_writes_whites_view_in_fields() {
    reads_as(
        "1. e4 {book, mb=+0+0+0+0+0,} e5 {d=33, sd=45, mt=37918, tl=1765082, s=54971964, pv=d4 e6 Bd3, tb=0, h=0.0, wv=0.60, R50=50, Rd=-11,} 2. Nf3 {d=20, sd=20, mt=5, tl=10, wv=-M4, mb=+0,} Nc6 { ev=-0.25, d=19, pd=c4, mt=00:01:05, tl=02:30:00, s=0 kN/s, pv=d4, }",
        &[
            "e2e4 book",
            "e7e5 0.6/33 Tcec left 1765082 used 37918",
            "g1f3 #-2/20 Tcec left 10 used 5",
            "b8c6 -0.25/19 Tcec left 9000000 used 65000",
        ],
    );
}

#[test]
fn other_comments_have_no_notes() {
    reads_as(
        "1. e4 {1/2 a point} e5 {+- said Bob} 2. Nf3 {0:10:00} Nc6 {0.25} 3. Bb5 {1.5/2 points} a6 {(unclear)} 4. Ba4 {König 1/2 M5/} Nf6 {} 5. O-O { +99999999999999999999999999999999999999999.0/5 1s }",
        &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1h1"],
    );
}

#[test]
fn annotations_count_by_kind_and_the_last_one_wins() {
    reads_as(
        "1. e4! $2 c5 $1 $14 $3 2. Nf3!? ?! d6 = 3. d4?? +/- (3. c3! $6 {+1.00/9 1s}) $10 cxd4 $0 $7 $146 $999 4. Nxd4 !!! {a} ; +0.50/3 2s\n",
        &[
            "e2e4$2",
            "c7c5$3$14",
            "g1f3$6",
            "d7d6$10",
            "d2d4$4$10",
            "c5d4$7",
            "f3d4 0.5/3 Cutechess used 2000",
        ],
    );
}

#[test]
fn what_is_before_the_moves_or_after_the_result_belongs_to_no_move() {
    let text =
        "[Event \"x\"]\n[Result \"1-0\"]\n\n{+9.00/9 9s} $1 1. e4 1-0 {+1.00/5 1s} $2 ; { wv=0.20, }\n";
    assert_eq!(each(text, &strict(), moves), [["e2e4"]]);
}

#[test]
fn lines_may_break_anywhere_in_a_comment() {
    reads_as(
        "1. e4 {[%eval\r\n0.25] [%clk\n0:00:01]} e5 {+0.35/12\n1.2s,\nWhite mates} 2. Nf3 {d=9,\nwv=\n0.5,\n}",
        &["e2e4 0.25 Lichess left 1000", "e7e5 -0.35/12 Cutechess used 1200", "g1f3 0.5/9 Tcec"],
    );
}

#[test]
fn the_last_comment_of_a_kind_wins() {
    reads_as(
        "1. e4 {+0.35/12 1.2s} {[%clk 0:00:01]} {+0.50/13 2.0s} e5 {[%eval 0.3,20] [%eval 0.4]}",
        &["e2e4 0.5/13 Cutechess left 1000 used 2000", "e7e5 0.4 Lichess"],
    );
}
