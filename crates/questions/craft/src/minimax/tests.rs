//! The values of small books, as one finds them by hand.

use position::named_line;

use super::*;

/// A book of the moves of these lines, and evaluations of moves and of positions.
#[derive(Default)]
struct Small {
    entries: Vec<(Key, PackedMove)>,
    evaluations: Vec<EvalRow>,
}

/// A key and the moves of a line, each with the key before it.
fn moves_of(line: &str) -> (Vec<(Key, PackedMove)>, Key) {
    let line = named_line(None, Some(line)).unwrap();
    let mut board = line.start;
    let mut moves = Vec::new();
    for san in line.moves {
        let m = san.san.to_move(&board).unwrap();
        moves.push((Key::of(&board), PackedMove::pack(m)));
        board.play_unchecked(m);
    }
    (moves, Key::of(&board))
}

impl Small {
    fn book(lines: &[&str]) -> Self {
        let mut entries: Vec<_> = lines.iter().flat_map(|line| moves_of(line).0).collect();
        entries.sort_unstable();
        entries.dedup();
        Self { entries, evaluations: Vec::new() }
    }

    /// Evaluates the position after a line.
    fn position(self, line: &str, score: Score, depth: u16) -> Self {
        let key = moves_of(line).1;
        self.evaluated(EvalRow { key, mv: PackedMove::TERMINAL, score, depth })
    }

    /// Evaluates the last move of a line.
    fn last_move(self, line: &str, score: Score, depth: u16) -> Self {
        let (key, mv) = *moves_of(line).0.last().unwrap();
        self.evaluated(EvalRow { key, mv, score, depth })
    }

    fn evaluated(mut self, evaluated: EvalRow) -> Self {
        self.evaluations.push(evaluated);
        self
    }

    fn back_up(&self, options: &MinimaxOptions) -> Minimax {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let entry = |(key, mv): &(Key, PackedMove)| {
            [&key.0.to_be_bytes()[..], &mv.0.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
        };
        std::fs::write(&path, self.entries.iter().flat_map(entry).collect::<Vec<u8>>()).unwrap();
        let mut evaluations = self.evaluations.clone();
        evaluations.sort_by_key(|evaluated| (evaluated.key, evaluated.mv));
        minimax(&Artefact::open(&path).unwrap(), evaluations.into_iter().map(Ok), options).unwrap()
    }

    fn values(&self) -> Minimax {
        self.back_up(&OPTIONS)
    }
}

const OPTIONS: MinimaxOptions = MinimaxOptions {
    plies: u32::MAX,
    min_depth: 0,
    out_of_book: OutOfBook::Ignore,
    threads: 1,
    memory_bytes: u64::MAX,
};
const OUT: MinimaxOptions = MinimaxOptions { out_of_book: OutOfBook::Evaluation, ..OPTIONS };

impl Minimax {
    /// The value of the position after a line, and its depth.
    fn after(&self, line: &str) -> Option<(Score, Option<u16>)> {
        self.row(moves_of(line).1, PackedMove::TERMINAL)
    }

    /// The value of the last move of a line.
    fn of(&self, line: &str) -> Option<(Score, Option<u16>)> {
        let (key, mv) = *moves_of(line).0.last().unwrap();
        self.row(key, mv)
    }

    fn row(&self, key: Key, mv: PackedMove) -> Option<(Score, Option<u16>)> {
        assert!(self.values.is_sorted_by(|one, other| (one.key, one.mv) < (other.key, other.mv)));
        let row = self.values.iter().find(|row| (row.key, row.mv) == (key, mv))?;
        Some((row.score, row.depth))
    }
}

fn cp(cp: i32, depth: u16) -> (Score, Option<u16>) {
    (Score::Cp(cp), Some(depth))
}

#[test]
fn a_position_has_the_value_of_its_best_move_by_any_path() {
    let small = Small::book(&["Nf3 d5 d4", "d4 d5 Nf3 Nf6", "d4 Nf6 c4"])
        .position("d4 d5 Nf3 Nf6", Score::Cp(20), 9)
        .position("d4 Nf6 c4", Score::Cp(-30), 12);
    let found = small.values();
    assert_eq!(found.of("d4 d5 Nf3 Nf6"), Some(cp(-20, 9)));
    assert_eq!(found.of("Nf3 d5 d4"), Some(cp(20, 9)), "where the lines meet, it is the same");
    assert_eq!(found.of("d4 d5"), Some(cp(-20, 9)));
    assert_eq!(found.of("d4 Nf6"), Some(cp(-30, 12)));
    assert_eq!(found.after("d4"), Some(cp(-20, 9)));
    assert_eq!(found.after(""), Some(cp(20, 9)));
    assert_eq!(found.report.line, "1. Nf3 d5 2. d4 Nf6", "of equal moves the first in the book");
    assert_eq!((found.report.positions, found.report.unknown), (9, 0));
    assert_eq!(found.report.eval, Some(0.2));
}

#[test]
fn a_line_that_never_leaves_the_book_is_a_draw() {
    let round = "Nf3 Nf6 Ng1 Ng8";
    let bad = Small::book(&[round, "e4"]).position("e4", Score::Cp(50), 7);
    let found = bad.values();
    assert_eq!(found.after(""), Some((Score::Cp(0), None)), "White goes round rather than lose half a pawn");
    assert_eq!(found.of("e4"), Some(cp(-50, 7)));
    assert_eq!(found.report.line, "");
    let good = Small::book(&[round, "e4"]).position("e4", Score::Cp(-50), 7).values();
    assert_eq!(good.after(""), Some(cp(50, 7)), "White leaves");
    assert_eq!(good.of("Nf3 Nf6"), Some(cp(-50, 7)), "and Black cannot keep White from it by going round");
    let both = Small::book(&[round, "e4", "Nf3 d5"]).position("e4", Score::Cp(50), 7);
    let both = both.position("Nf3 d5", Score::Cp(-10), 8).values();
    assert_eq!(both.of("Nf3"), Some(cp(-10, 8)), "Black leaves where White would draw");
    assert_eq!(both.after(""), Some(cp(-10, 8)));
}

#[test]
fn moves_of_which_nothing_is_known_are_left_out() {
    let found = Small::book(&["e4 e5 Nf3", "e4 c5", "d4 d5 c4"])
        .position("e4 c5", Score::Cp(15), 5)
        .position("e4 e5", Score::Cp(-90), 30)
        .values();
    assert_eq!(found.of("e4 e5 Nf3"), None);
    assert_eq!(found.of("e4 e5"), Some(cp(90, 30)), "the position's own evaluation, since no move has one");
    assert_eq!(found.after("e4"), Some(cp(90, 30)));
    assert_eq!(found.of("d4"), None);
    assert_eq!(found.report.unknown, 4);
}

#[test]
fn a_move_that_leads_to_a_leaf_can_have_its_evaluation() {
    let small = Small::book(&["Nf3 d5 d4", "d4 d5 Nf3"]).last_move("Nf3 d5 d4", Score::Cp(11), 8);
    assert_eq!(small.values().after("d4 d5"), Some(cp(11, 8)));
    let deeper = small.last_move("d4 d5 Nf3", Score::Cp(-7), 9);
    assert_eq!(deeper.values().of("Nf3 d5 d4"), Some(cp(-7, 9)), "the deepest of those that lead there");
    let own = deeper.position("d4 d5 Nf3", Score::Cp(-40), 1);
    assert_eq!(own.values().of("Nf3 d5 d4"), Some(cp(40, 1)), "the position's own evaluation comes first");
    let deep = MinimaxOptions { min_depth: 9, ..OPTIONS };
    assert_eq!(own.back_up(&deep).of("Nf3 d5 d4"), Some(cp(-7, 9)));
}

#[test]
fn mates_are_a_move_farther_each_two_plies() {
    let fool = "f3 e5 g4 Qh4";
    let found = Small::book(&[fool, "e4"]).position("e4", Score::Cp(0), 1).values();
    assert_eq!(found.after(fool), None, "mate on the board has no number of moves");
    assert_eq!(found.of(fool), Some((Score::Mate(1), Some(0))), "but needs no evaluation");
    assert_eq!(found.after("f3 e5"), Some((Score::Mate(-1), Some(0))));
    assert_eq!(found.of("f3 e5"), Some((Score::Mate(2), Some(0))));
    assert_eq!(found.of("f3"), Some((Score::Mate(-2), Some(0))));
    assert_eq!(found.after(""), Some(cp(0, 1)));
    let by_move = Small::book(&["f3 e5 g4 Qh4"]).last_move(fool, Score::Mate(1), 3).values();
    assert_eq!(by_move.of(fool), Some((Score::Mate(1), Some(3))));
    let mate = Small::book(&["e4 e5", "d4"]).position("e4 e5", Score::Mate(4), 20);
    assert_eq!(mate.values().of("e4"), Some((Score::Mate(5), Some(20))));
    assert_eq!(mate.values().of("e4 e5"), Some((Score::Mate(-4), Some(20))));
    assert_eq!((mate.values().report.eval, mate.values().report.mate), (None, Some(5)));
}

#[test]
fn a_move_out_of_the_book_may_be_the_best() {
    let small = Small::book(&["e4 e5", "e4 c5"])
        .position("e4 e5", Score::Cp(30), 10)
        .position("e4 c5", Score::Cp(20), 11)
        .last_move("e4 e6", Score::Cp(5), 12);
    assert_eq!(small.values().after("e4"), Some(cp(-20, 11)));
    assert_eq!(small.back_up(&OUT).after("e4"), Some(cp(5, 12)));
    let own = small.position("e4", Score::Cp(8), 13);
    assert_eq!(own.values().after("e4"), Some(cp(-20, 11)));
    assert_eq!(own.back_up(&OUT).after("e4"), Some(cp(8, 13)), "its best move is not in the book");
    let of_kept = own.last_move("e4 c5", Score::Cp(8), 13);
    assert_eq!(
        of_kept.back_up(&OUT).after("e4"),
        Some(cp(5, 12)),
        "its best move is in the book, and worth less"
    );
}

#[test]
fn plies_bound_the_book() {
    let small = Small::book(&["e4 e5 Nf3 Nc6", "e4 e5 Nc3"])
        .position("e4 e5 Nf3 Nc6", Score::Cp(40), 10)
        .position("e4 e5", Score::Cp(25), 20)
        .position("e4 e5 Nc3", Score::Cp(0), 10);
    assert_eq!(small.values().of("e4"), Some(cp(40, 10)));
    let found = small.back_up(&MinimaxOptions { plies: 2, ..OPTIONS });
    assert_eq!(found.of("e4"), Some(cp(25, 20)));
    assert_eq!(found.of("e4 e5 Nf3"), None);
    assert_eq!(found.report.positions, 3);
}

#[test]
fn in_a_repertoire_the_other_side_plays_what_leads_back() {
    let found = Small::book(&["d4 d5 c4", "Nf3 d5 d4"])
        .entries
        .into_iter()
        .filter(|(key, _)| ![moves_of("d4").1, moves_of("Nf3").1].contains(key));
    let small = Small { entries: found.collect(), evaluations: Vec::new() };
    let found = small.position("d4 d5 c4", Score::Cp(-12), 10).values();
    assert_eq!(found.of("d4 d5"), Some(cp(-12, 10)), "a reply, although the book has no moves of Black");
    assert_eq!(found.of("d4"), Some(cp(12, 10)));
}

#[test]
fn what_needs_more_memory_is_refused() {
    let options = MinimaxOptions { memory_bytes: 100, ..OPTIONS };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    std::fs::write(
        &path,
        [&Key::START.0.to_be_bytes()[..], &796u16.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat(),
    )
    .unwrap();
    let book = Artefact::open(&path).unwrap();
    let error = minimax(&book, std::iter::empty(), &options).unwrap_err().to_string();
    assert!(error.contains("are needed, but only 0 may be used"), "{error}");
}
