//! The learning rules of ChessPartner, Terra and Crafty's paper (`docs/sources.md`), one test for each
//! rule. How moves are chosen is tested in crate `policy`.

use std::collections::BTreeMap;

use learn::{
    annotations::{UserSetting, annotate, nag_of_suffix, parse_value},
    crafty::{Effect, Family, LearnedEdge, Learner, LearningBook, Nothing, Options, Origin, Record},
    experience::age,
    games::{Clause, OwnGame, Refusal, add_result, applies, book_plies, post_book_plies},
    search::{UNPLAYABLE, back_up, is_playable, key_search, learn_function, updated},
};
use position::{Board, Experience, Key, Outcome, OwnResults, PackedMove};
use shakmaty::{Color, san::San};

type Plies = Vec<(Key, PackedMove)>;

fn plies(line: &str) -> Plies {
    let mut board = Board::start();
    let play = |san: &str| {
        let key = board.key();
        (key, board.play_san(&San::from_ascii(san.as_bytes()).unwrap()).unwrap().mv)
    };
    line.split(' ').map(play).collect()
}

/// A book of all moves of these lines.
fn book(lines: &[&str]) -> LearningBook {
    let mut positions: BTreeMap<Key, Vec<PackedMove>> = BTreeMap::new();
    for (key, mv) in lines.iter().flat_map(|line| plies(line)) {
        let moves = positions.entry(key).or_default();
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    let mut builder = LearningBook::builder();
    for (key, moves) in positions {
        builder.push(key, moves.into_iter().map(|mv| (mv, 0.0, 0))).unwrap();
    }
    builder.finish()
}

mod lokasoft {
    use super::*;

    const GAME: OwnGame = OwnGame {
        own: Color::White,
        outcome: Outcome::Draw,
        plies: 80,
        own_elo: None,
        opponent_elo: None,
        timed: true,
        serious: true,
    };

    #[test]
    fn only_serious_timed_games_count() {
        let lost = OwnGame { outcome: Outcome::Black, ..GAME };
        assert_eq!(applies(&lost), Ok(Clause::Lost));
        assert_eq!(applies(&OwnGame { serious: false, ..lost }), Err(Refusal::NotSerious));
        assert_eq!(applies(&OwnGame { timed: false, ..lost }), Err(Refusal::NotTimed));
        assert_eq!(applies(&OwnGame { own: Color::Black, ..lost }), Err(Refusal::NoClause));
    }

    #[test]
    fn a_win_counts_after_more_than_fifty_full_moves() {
        let won = |plies| applies(&OwnGame { outcome: Outcome::White, plies, ..GAME });
        assert_eq!([won(99), won(100)], [Err(Refusal::NoClause); 2]);
        assert_eq!([won(101), won(102)], [Ok(Clause::LongWin); 2]);
    }

    #[test]
    fn ratings_less_than_200_apart_count_either_way() {
        let rated = |own, opponent| applies(&OwnGame { own_elo: own, opponent_elo: opponent, ..GAME });
        assert_eq!(rated(Some(2400), Some(2201)), Ok(Clause::CloseRatings));
        assert_eq!(rated(Some(2201), Some(2400)), Ok(Clause::CloseRatings));
        assert_eq!(rated(Some(2400), Some(2200)), Err(Refusal::NoClause));
        assert_eq!(rated(Some(2200), Some(2400)), Err(Refusal::NoClause));
        assert_eq!(rated(Some(2400), None), Err(Refusal::NoClause), "unknown is not close");
    }

    #[test]
    fn a_draw_counts_by_ratings_only() {
        assert_eq!(applies(&OwnGame { plies: 300, ..GAME }), Err(Refusal::NoClause));
        let close = OwnGame { own_elo: Some(2000), opponent_elo: Some(2000), ..GAME };
        assert_eq!(applies(&close), Ok(Clause::CloseRatings));
    }
}

mod terra {
    use super::*;

    #[test]
    fn results_count_for_selected_book_moves_of_each_side() {
        let mut white = Experience::default();
        let mut black = Experience::default();
        for outcome in [Outcome::White, Outcome::White, Outcome::Draw, Outcome::Black] {
            assert!(add_result(&mut white, Color::White, outcome));
            assert!(add_result(&mut black, Color::Black, outcome));
        }
        assert_eq!(white.own, OwnResults { wins: 2, draws: 1, losses: 1 });
        assert_eq!(black.own, OwnResults { wins: 1, draws: 1, losses: 2 });
        let in_book = [true, true, true, false, false, true];
        assert_eq!(book_plies(Color::White, &in_book).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(book_plies(Color::Black, &in_book).collect::<Vec<_>>(), [1, 5]);
    }

    #[test]
    fn a_user_set_move_gets_no_own_result() {
        let mut experience = Experience::default();
        UserSetting::Value(0).apply(&mut experience);
        assert!(!add_result(&mut experience, Color::White, Outcome::White));
        assert_eq!(experience.own.games(), 0);
    }

    #[test]
    fn the_table_of_bookeval() {
        let values = [("?", 0), ("!?", 15), ("?!", 15), ("!", 75), ("!!", 100), ("??", 0), ("42", 42)];
        for (text, value) in values {
            let mut experience = Experience::default();
            parse_value(text).unwrap().apply(&mut experience);
            assert_eq!(experience.user_value, Some(value), "{text}");
        }
        let mut experience = Experience { user_value: Some(3), ..Experience::default() };
        experience.own.wins = 1;
        parse_value("clear").unwrap().apply(&mut experience);
        assert!(experience.is_empty());
    }

    /// The file of Terra's text, without its loose tags.
    #[test]
    fn the_nag_file() {
        let lines = ["e4!! c6!? d4!!", "d4!! Nf6! c4! d6!", "d4 d5! c4 a6?"];
        let mut experience: BTreeMap<(Key, PackedMove), Experience> = BTreeMap::new();
        for line in lines {
            let bare = line.replace(['!', '?'], "");
            for (edge, token) in plies(&bare).into_iter().zip(line.split(' ')) {
                let suffix = token.trim_start_matches(|c| c != '!' && c != '?');
                let known = experience.entry(edge).or_default();
                nag_of_suffix(suffix).map(|nag| annotate(known, nag));
            }
        }
        let value = |line: &str| experience[plies(line).last().unwrap()].user_value;
        assert_eq!([value("e4"), value("e4 c6"), value("e4 c6 d4")], [Some(100), Some(15), Some(100)]);
        assert_eq!([value("d4"), value("d4 Nf6")], [Some(100), Some(75)]);
        assert_eq!([value("d4 Nf6 c4"), value("d4 Nf6 c4 d6")], [Some(75), Some(75)]);
        assert_eq!([value("d4 d5"), value("d4 d5 c4"), value("d4 d5 c4 a6")], [Some(75), None, Some(0)]);
    }

    #[test]
    fn the_last_nag_wins_and_none_keeps_it() {
        let mut f4 = Experience::default();
        annotate(&mut f4, 1);
        assert_eq!((f4.user_value, f4.nag), (Some(75), Some(1)));
        annotate(&mut f4, 2);
        assert_eq!((f4.user_value, f4.priority, f4.nag), (Some(0), Some(0), Some(2)));
        assert!(!annotate(&mut f4, 0), "no NAG");
        assert_eq!(f4.user_value, Some(0));
    }

    #[test]
    fn post_book_keeps_the_first_ten_own_moves() {
        let mut in_book = vec![true; 5];
        in_book.extend([false; 40]);
        let white: Vec<_> = post_book_plies(Color::White, &in_book).collect();
        assert_eq!(white, (6..26).step_by(2).collect::<Vec<_>>());
        let black: Vec<_> = post_book_plies(Color::Black, &in_book).collect();
        assert_eq!(black, (5..25).step_by(2).collect::<Vec<_>>());
        assert_eq!(post_book_plies(Color::White, &[true; 9]).count(), 0);
    }
}

mod crafty {
    use super::*;

    #[test]
    fn learn_function_trusted_and_untrusted() {
        let table = [
            (-1000, -6, 250),
            (-999, -12, 200),
            (-200, -75, 50),
            (-199, -100, 25),
            (0, -100, 25),
            (199, -100, 25),
            (200, -150, 12),
            (399, -150, 12),
            (400, -200, 6),
            (999, -300, 1),
            (1000, -350, 0),
        ];
        for (rating, trusted, untrusted) in table {
            assert_eq!(learn_function(-100, 10, rating, true), trusted, "{rating}");
            assert_eq!(learn_function(100, 10, rating, false), untrusted, "{rating}");
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(learn_function(600, 19, 1000, true), 3990);
        assert_eq!(learn_function(-600, 19, 1000, true), -3990);
        assert_eq!(learn_function(600, 19, -1000, false), 2850);
        assert_eq!(learn_function(-100, 25, 0, true), learn_function(-100, 19, 0, true));
        assert_eq!(
            learn_function(-100, -3, 0, true),
            0,
            "the program has the lower bound, the paper has not"
        );
    }

    #[test]
    fn f32_and_not_f64() {
        assert_eq!(learn_function(-560, 3, -600, false), -252);
    }

    #[test]
    fn no_input_turns_253_into_135() {
        let results = |value: i32| {
            let classes = (-5..=5).map(|class| class * 200);
            let inputs = classes.flat_map(|rating| (0..20).map(move |depth| (depth, rating)));
            let both =
                move |(depth, rating)| [true, false].map(|trust| learn_function(value, depth, rating, trust));
            inputs.flat_map(both).collect::<Vec<_>>()
        };
        assert!(!results(-253).contains(&-135) && !results(-261).contains(&-135));
        assert_eq!(learn_function(-253, 11, -200, true), -208);
        assert_eq!(learn_function(-253, 11, -400, true), -139);
        assert_eq!(learn_function(-253, 11, -1000, false) / 5, -139);
    }

    #[test]
    fn which_search_counts() {
        let telling = |values: &[i32]| {
            let searches: Vec<_> = values.iter().map(|&value| (value, 8)).collect();
            key_search(&searches).map(|search| search.0)
        };
        assert_eq!(telling(&[50, 20, -10, -60]), Some(-60), "falling: the last");
        assert_eq!(telling(&[-50, -20, 10, 60]), Some(60), "rising: the last");
        assert_eq!(telling(&[10, 40, 20, -30]), Some(-30), "up, then down for good: the worst");
        assert_eq!(telling(&[10, -40, 20, 30]), Some(30), "down, then up for good: the best");
    }

    const RUY: [&str; 4] = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 Nc3 Bb4 d3 O-O O-O",
        "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 d3",
        "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6 O-O",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
    ];
    const BLUNDER: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Nc3";

    /// The paper's section 5: three games with different sixth moves, and the learned values after each
    /// game.
    fn after_games(count: usize) -> Learner {
        let mut learner = Learner::new(book(&RUY), Options::default());
        for (sixth, value) in [("O-O", -135), ("d3", -139), ("Nc3", -139)].into_iter().take(count) {
            let plies = plies(&format!("{BLUNDER} axb5 Nxb5 Nf6 {sixth}"));
            let record = Record {
                white: "Crafty 15.17",
                black: "opp",
                plies: &plies,
                value,
                depth: 5,
                rating_difference: 0,
            };
            assert!(learner.learn(&record, Origin::default()).is_learned());
        }
        learner
    }

    fn learned(learner: &Learner, line: &str) -> f32 {
        let &(key, mv) = plies(line).last().unwrap();
        learner.book().edge(key, mv).unwrap().learn
    }

    #[test]
    fn section_5_game_1_a_third_reaches_move_4() {
        let learner = after_games(1);
        assert_eq!(learned(&learner, RUY[2]), -1.35);
        // The float nearest to -1.35 divided by three is not the one nearest to -0.45.
        let third = -1.35_f32 / 3.0;
        assert_eq!(format!("{third:.6}"), "-0.450000");
        assert_eq!(learned(&learner, BLUNDER), third);
        assert_eq!(learned(&learner, &format!("{BLUNDER} axb5")), -third);
        assert_eq!(learned(&learner, &format!("{BLUNDER} axb5 Nxb5 Nf6")), -third);
        for (ply, line) in ["e4", "e4 e5", "e4 e5 Nf3", "e4 e5 Nf3 Nc6"].into_iter().enumerate() {
            assert_eq!(
                learned(&learner, line),
                if ply % 2 == 0 { third / 2.0 } else { -third / 2.0 },
                "{line}"
            );
        }
    }

    #[test]
    fn section_5_game_2_a_half_and_averaged() {
        assert_eq!(learned(&after_games(2), BLUNDER), -0.5725);
    }

    #[test]
    fn section_5_game_3_nothing_left_to_divide_by() {
        let learner = after_games(3);
        assert_eq!(learned(&learner, BLUNDER), -0.98125);
        assert!(!is_playable(learned(&learner, BLUNDER)));
        assert!(is_playable(learned(&learner, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4")));
        assert_eq!(learned(&learner, "e4"), -0.490_625);
    }

    #[test]
    fn the_printed_135_would_not_do() {
        let second = updated(Family::A, -0.45, 1, -1.35 / 2.0);
        let third = updated(Family::A, second, 2, -1.35);
        assert_eq!([second, third], [-0.5625, -0.95625], "the paper prints -0.57 and -0.98");
    }

    #[test]
    fn the_move_at_a_branch_gets_the_whole_value() {
        let mut plies = Vec::new();
        assert!(back_up(Family::A, -100, &[2, 1, 4], &mut plies));
        assert_eq!(plies, [-0.25, -0.25, -1.0]);
    }

    #[test]
    fn alternatives_are_counted_before_the_games_own_update() {
        let mut book = book(&["e4", "d4"]);
        let game = plies("e4");
        // Two moves are playable before the game and one after it, which is no choice.
        assert!(book.teach(Family::C, &game, -500, Origin::default()).is_ok());
        assert!(!is_playable(book.edge(game[0].0, game[0].1).unwrap().learn));
        assert_eq!(book.teach(Family::C, &game, -500, Origin::default()), Err(Nothing::NoBranch));
    }

    #[test]
    fn first_as_it_is_then_halves() {
        assert_eq!(updated(Family::A, 0.0, 0, -0.45), -0.45);
        assert_eq!(updated(Family::A, -0.45, 1, 0.45), 0.0);
        assert_eq!(updated(Family::A, 0.0, 2, 0.5), 0.5, "an average of zero counts as never learned");
    }

    #[test]
    fn from_minus_080_on_a_move_is_not_played() {
        assert_eq!(UNPLAYABLE, -0.80);
        assert!(is_playable(-0.799) && !is_playable(-0.801));
    }

    #[test]
    fn a_lost_game_costs_the_losers_last_choice() {
        let record = Record {
            white: "Crafty 15.17",
            black: "opp",
            plies: &plies(RUY[2]),
            value: -99_900,
            depth: 10,
            rating_difference: 0,
        };
        let mut learner = Learner::new(book(&RUY), Options::default());
        assert!(
            matches!(learner.learn(&record, Origin::default()), Effect::Learned(lesson) if lesson.updates == 1)
        );
        let touched: Vec<f32> =
            learner.book().edges().filter(LearnedEdge::is_taught).map(|edge| edge.learn).collect();
        assert_eq!((touched, learned(&learner, RUY[2])), (vec![-999.0], -999.0));
    }

    #[test]
    fn both_sides_learn() {
        let mut book = book(&RUY);
        book.teach(Family::A, &plies(RUY[3]), 40, Origin::default()).unwrap();
        for (ply, edge) in plies(RUY[3]).into_iter().enumerate() {
            let learn = book.edge(edge.0, edge.1).unwrap().learn;
            assert!(if ply % 2 == 0 { learn > 0.0 } else { learn < 0.0 }, "ply {ply}: {learn}");
        }
    }

    #[test]
    fn ageing_spares_what_is_really_bad() {
        let aged = |learn| {
            let mut experience = Experience { learn, learn_count: 1, ..Experience::default() };
            age(&mut experience, 0.5).unwrap();
            experience.learn
        };
        assert_eq!([aged(-0.5), aged(0.5), aged(-0.98125), aged(-999.0)], [-0.25, 0.25, -0.98125, -999.0]);
    }
}
