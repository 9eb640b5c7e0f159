//! Any text as an expression over tags: refused with its place, or the same after it is printed and read
//! again, and answered for games with and without tags.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{filter::Where, tags::TagBuffer};

const GAMES: [&[u8]; 3] = [
    b"[Event \"Rated Blitz game\"]\n[White \"Carlsen, Magnus\"]\n[Black \"x\"]\n[Result \"1-0\"]\n\
      [WhiteElo \"2850\"]\n[BlackElo \"1500\"]\n[Date \"2013.??.??\"]\n[ECO \"B20\"]\n[TimeControl \"180+2\"]\n\n",
    b"[Event \"?\"]\n[White \"\"]\n[WhiteElo \"-\"]\n[Date \"????.??.??\"]\n[Round \"1.2\"]\n[BlackTitle \"GM\"]\n\n",
    b"",
];

fuzz_target!(|text: &str| {
    match Where::parse(text) {
        Ok(expression) => {
            let printed = expression.to_string();
            let again = Where::parse(&printed).expect(&printed);
            assert_eq!(again.to_string(), printed);
            for game in GAMES {
                let mut buffer = TagBuffer::default();
                let tags = buffer.read(game);
                assert_eq!(expression.matches(&tags), again.matches(&tags), "{printed}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
