//! `LearnFunction` and the key search, with real inputs.

use learn::search::{LiveGame, key_search, learn_function};
use shakmaty::Color;

use crate::files::{read, rows};

#[test]
fn learn_function_over_its_inputs() {
    let Some(text) = read("../crafty/truth/learnfunction_f32.tsv") else { return };
    let mut count = 0;
    for row in rows(&text) {
        let number = |at: usize| row[at].parse::<i32>().unwrap();
        let result = learn_function(number(0), number(1), number(2), number(3) == 1);
        assert_eq!(result, number(4), "{row:?}");
        count += 1;
    }
    assert!(count > 70_000, "{count}");
}

#[test]
fn curves_of_ten_searches() {
    let Some(text) = read("../crafty/truth/learnbook_curves_v15.17.tsv") else { return };
    let mut count = 0;
    for row in rows(&text) {
        let numbers = |at: usize| row[at].split(' ').map(|number| number.parse::<i32>().unwrap());
        let own = Color::from_white(row[3] == "1");
        let mut game = LiveGame::new(own, row[4].parse().unwrap());
        game.searches.extend(numbers(0).zip(numbers(1)));
        let (value, depth) = key_search(&game.searches).unwrap();
        assert_eq!(value.to_string(), row[2], "{row:?}");

        // Crafty uses the depth of the running search if it is larger than those of the ten.
        let under_way: i32 = row[5].parse().unwrap();
        assert!(depth <= under_way, "{row:?}");
        let (exported, depth) = game.lesson_at(under_way).unwrap();
        assert_eq!((exported.to_string().as_str(), depth), (row[6], under_way), "{row:?}");
        count += 1;
    }
    assert_eq!(count, 24);
}
