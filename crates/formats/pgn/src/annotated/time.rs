//! Reads the times in comments, in milliseconds.

/// `h:mm:ss`, `mm:ss` or `ss`, with or without a fraction.
pub(super) fn clock(value: &str) -> Option<u64> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let mut seconds = 0_u64;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse::<u64>().ok()?)?;
    }
    let digits = fraction.get(..fraction.len().min(3))?;
    let thousandths: u64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    let scale = 10_u64.pow(3 - digits.len() as u32);
    seconds.checked_mul(1000)?.checked_add(thousandths * scale)
}

/// `1.2s`.
pub(super) fn seconds(value: &str) -> Option<u64> {
    clock(value.strip_suffix('s')?)
}

/// Reads a number of milliseconds, or `h:mm:ss` as [`clock`] does.
pub(super) fn milliseconds(value: &str) -> Option<u64> {
    if value.contains(':') { clock(value) } else { value.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_millisecond() {
        for (text, time) in [
            ("1:02:03", 3_723_000),
            ("0:00:00.5", 500),
            ("02:03.25", 123_250),
            ("59.1239", 59_123),
            ("7.", 7000),
        ] {
            assert_eq!(clock(text), Some(time), "{text}");
        }
        for text in
            ["", ":", "1:", "x", "-1:00", "1.x", "1:00.é", "99999999999999999999", "999999999999:0:0:0:0"]
        {
            assert_eq!(clock(text), None, "{text}");
        }
        assert_eq!((seconds("0.006s"), seconds("5"), milliseconds("37918")), (Some(6), None, Some(37_918)));
    }
}
