//! What the values of settings are written as.

use super::*;
use crate::{
    filter::{DateBound, Dimension, EcoRange, PlayerName, Where},
    replay::Line,
};

#[test]
fn values_are_written_as_they_are_read() {
    fn check<T: Setting>(text: &str, written: &str) {
        let value: T = parse(text).unwrap();
        assert_eq!(value.to_string(), written, "{text}");
        assert_eq!(parse::<T>(written).unwrap().to_string(), written);
    }
    check::<Speed>(" UltraBullet", "ultraBullet");
    check::<Outcome>("1-0", "1-0");
    check::<Outcome>("BLACK", "0-1");
    check::<Outcome>("1/2-1/2", "1/2-1/2");
    check::<Outcome>(" draw", "1/2-1/2");
    check::<Color>("black", "black");
    check::<Repeats>("once", "once");
    check::<IllegalMove>("keep-prefix", "keep-prefix");
    check::<Key>("463b96181691fc9c", "463b96181691fc9c");
    check::<DateBound>("2013.1", "2013-01");
    check::<EcoRange>("b20-b99", "B20..B99");
    check::<PlayerName>("/^Carlsen/", "/^Carlsen/");
    check::<Where>("WhiteElo>=2400", "WhiteElo >= 2400");
    check::<Line>("1. e4 c5", "1. e4 c5");
    check::<Dimension>("rating-band", "rating-band");
}

#[test]
fn a_wrong_value_is_refused_with_what_is_allowed() {
    fn error<T: Setting>(text: &str) -> String {
        parse::<T>(text).err().map_or_else(String::new, |error| error.to_string())
    }
    assert_eq!(
        error::<Speed>("fast"),
        "`fast` is not a speed: expected ultraBullet, bullet, blitz, rapid, classical or correspondence"
    );
    assert_eq!(
        error::<Outcome>("win"),
        "`win` is not a result: expected 1-0, 0-1 or 1/2-1/2 (or white, black, draw)"
    );
    assert_eq!(error::<Color>("red"), "`red` is not a colour: expected white or black");
    assert_eq!(
        error::<Repeats>("twice"),
        "`twice` is not a rule for repeated positions: expected each or once"
    );
    assert_eq!(
        error::<IllegalMove>("skip"),
        "`skip` is not a rule for illegal moves: expected reject or keep-prefix"
    );
    assert_eq!(
        error::<Key>("463b"),
        "`463b` is not a key of a position: expected sixteen hexadecimal digits"
    );
    assert_eq!(
        error::<Dimension>("elo"),
        "`elo` is not a group: expected speed, rating-band, month or player-color"
    );
}
