//! Derives a game's speed from the tag `TimeControl` (PGN standard 9.6.1), as Lichess estimates it.

use position::Speed;

use crate::tags::Tags;

/// The number of moves that Lichess assumes when it estimates a game's length.
const ESTIMATED_MOVES: u64 = 40;

/// The cap on numbers in a time control. It is high enough for every speed and low enough that no estimate
/// overflows.
const WHOLE_MAX: u64 = 999_999_999;

/// The game's speed, if `TimeControl` can be read.
pub(super) fn speed_of(tags: &Tags<'_>) -> Option<Speed> {
    read_speed(tags.get("TimeControl")?.bytes())
}

/// Reads `180+2`, `300`, `40/9000:3600+30`, `1/86400`, `*180` and `-`. Only the first period counts, as if it
/// covered the whole game; a game without a clock (`-`) is correspondence, as on Lichess.
fn read_speed(value: &[u8]) -> Option<Speed> {
    if value == b"-" {
        return Some(Speed::Correspondence);
    }
    let first_period = value.split(|&byte| byte == b':').next()?;
    let estimate_ms = match first_period.split_first() {
        Some((b'*', sandclock)) => milliseconds(sandclock)?,
        _ => estimate_period_ms(first_period)?,
    };
    (estimate_ms > 0).then(|| Speed::of_seconds(estimate_ms / 1000))
}

/// Estimates how many milliseconds one side has for forty moves, from a period written as
/// `[moves/]seconds[+increment]`.
fn estimate_period_ms(period: &[u8]) -> Option<u64> {
    let (moves, clock) = match split_once(period, b'/') {
        Some((moves, clock)) => (whole(moves).filter(|&moves| moves > 0)?, clock),
        None => (ESTIMATED_MOVES, period),
    };
    let (initial, increment) = match split_once(clock, b'+') {
        Some((initial, increment)) => (milliseconds(initial)?, milliseconds(increment)?),
        None => (milliseconds(clock)?, 0),
    };
    let stretched = initial * ESTIMATED_MOVES / moves.min(ESTIMATED_MOVES);
    Some(stretched + ESTIMATED_MOVES * increment)
}

/// Reads seconds, with or without a fraction, as milliseconds; decimals beyond the third are dropped.
fn milliseconds(seconds: &[u8]) -> Option<u64> {
    let (seconds, fraction) = split_once(seconds, b'.').unwrap_or((seconds, b"0"));
    whole(fraction)?;
    let thousandths =
        [100, 10, 1].iter().zip(fraction).map(|(unit, digit)| unit * u64::from(digit - b'0')).sum::<u64>();
    Some(whole(seconds)? * 1000 + thousandths)
}

/// Reads a whole number with any number of digits, and caps it at [`WHOLE_MAX`].
fn whole(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| (number * 10 + u64::from(digit - b'0')).min(WHOLE_MAX)))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&byte| byte == separator)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_fall_into_lichess_speeds() {
        for (value, speed) in [
            ("15+0", Speed::UltraBullet),
            ("29+0", Speed::UltraBullet),
            ("30+0", Speed::Bullet),
            ("0+1", Speed::Bullet),
            ("60", Speed::Bullet),
            ("179+0", Speed::Bullet),
            ("180+0", Speed::Blitz),
            ("180+2", Speed::Blitz),
            ("300", Speed::Blitz),
            ("300+5", Speed::Rapid),
            ("480+0", Speed::Rapid),
            ("1500+0", Speed::Classical),
            ("21599+0", Speed::Classical),
            ("21600+0", Speed::Correspondence),
            ("10+0.1", Speed::UltraBullet),
            ("45+0.5", Speed::Bullet),
            ("95.26+0.953", Speed::Bullet),
            ("40/9000:3600+30", Speed::Classical),
            ("40/240:40/240:40/240", Speed::Blitz),
            ("40/2+0.05", Speed::UltraBullet),
            ("20/600", Speed::Rapid),
            ("1/60", Speed::Classical),
            ("1/86400", Speed::Correspondence),
            ("1/604800:0", Speed::Correspondence),
            ("*180", Speed::Blitz),
            ("-", Speed::Correspondence),
            ("1234567890", Speed::Correspondence),
            ("99999999999999999999", Speed::Correspondence),
            ("18446744073709551616+1", Speed::Correspondence),
            ("0000000000000000000180+2", Speed::Blitz),
            ("99999999999999999999/600", Speed::Rapid),
            ("10+0.10000000000000000000", Speed::UltraBullet),
        ] {
            assert_eq!(read_speed(value.as_bytes()), Some(speed), "{value}");
        }
    }

    #[test]
    fn other_time_controls_are_unknown() {
        for value in [
            "",
            "?",
            "inf",
            "0",
            "0+0",
            "0/60",
            "40/",
            "180+",
            "+2",
            "*",
            "*60+1",
            "180+2+3",
            "1e3",
            "-5",
            "180.",
            ".5",
            "5 min",
            "15 min. + 10 s. per move",
            ":300",
        ] {
            assert_eq!(read_speed(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        assert_eq!(read_speed(b"1/999999999.999999999+999999999.999999999"), Some(Speed::Correspondence));
    }
}
