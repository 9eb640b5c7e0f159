//! The grammar of edits, which is the same on the command line and in scripts.
//!
//! # Format
//!
//! ```text
//! add LINE [: VALUE]     add those moves of the line that are not in the book
//! drop LINE              remove the line's last move, and the positions reached only through it
//! weigh LINE: NUMBER     .tabia: a value from 0 to 100; Polyglot: the weight
//! mark LINE: MARK        ! ? !! ?? !? ?!, `priority 0` to `priority 5`, or `clear`
//! forbid LINE            keep the line's last move, but never play it
//! prune unreachable      remove the positions that no line reaches
//! rename NAME            give the book a name
//! ```
//!
//! A line is a list of moves in SAN or UCI notation. A line begins at the start position, or at the position
//! given by a `[FEN]` before its moves.

use learn::annotations::{UserSetting, nag_of_suffix};

/// One edit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Edit {
    Add { line: String, setting: Option<Setting> },
    Drop { line: String },
    Set { line: String, setting: Setting },
    Prune,
    Rename(String),
}

/// A property of a move that an edit sets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Setting {
    /// A weight in a Polyglot book, or a value set by hand.
    Weight(u16),
    /// A mark, or its removal.
    Mark(UserSetting),
    /// A priority from 0 to 5, as Lokasoft defines it.
    Priority(u8),
    /// The move is never played.
    Forbidden,
}

const VERBS: &str = "add, drop, weigh, mark, forbid, prune or rename";

/// Lokasoft's highest priority.
const PRIORITY_MAX: u8 = 5;

/// Reads an edit.
///
/// # Errors
///
/// Fails with the reason why the text is not an edit.
pub(super) fn parse(text: &str) -> Result<Edit, String> {
    let (verb, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match verb {
        "add" => add(rest),
        "drop" => Ok(Edit::Drop { line: line(rest)? }),
        "forbid" => Ok(Edit::Set { line: line(rest)?, setting: Setting::Forbidden }),
        "weigh" => set(rest, weight, "`weigh LINE: NUMBER`, as in `weigh e4 c5: 40`"),
        "mark" => set(rest, mark, "`mark LINE: MARK`, as in `mark e4 c5: !?`"),
        "prune" if rest.trim_start_matches('-') == "unreachable" => Ok(Edit::Prune),
        "prune" => Err("write `prune unreachable`".into()),
        "rename" if rest.is_empty() => Err("`rename` needs a name".into()),
        "rename" if rest.contains(char::is_control) => Err("a name is one line of text".into()),
        "rename" => Ok(Edit::Rename(rest.into())),
        _ => Err(format!("`{verb}` is not an edit: an edit must begin with {VERBS}")),
    }
}

/// Reads a line of moves that has no value.
fn line(text: &str) -> Result<String, String> {
    match text {
        "" => Err("no line: name its moves, as in `e4 c5 Nf3`".into()),
        _ if text.contains(':') => {
            Err(format!("`{text}` contains a `:`, but a line consists only of moves, as in `e4 c5 Nf3`"))
        }
        _ => Ok(text.into()),
    }
}

fn add(text: &str) -> Result<Edit, String> {
    let Some((moves, value)) = text.rsplit_once(':') else {
        return Ok(Edit::Add { line: line(text)?, setting: None });
    };
    let value = value.trim();
    let setting = if starts_with_digit(value) { weight(value)? } else { mark(value)? };
    Ok(Edit::Add { line: line(moves.trim())?, setting: Some(setting) })
}

fn set(text: &str, read: fn(&str) -> Result<Setting, String>, usage: &str) -> Result<Edit, String> {
    let (moves, value) = text.rsplit_once(':').ok_or_else(|| format!("no `:`: write {usage}"))?;
    Ok(Edit::Set { line: line(moves.trim())?, setting: read(value.trim())? })
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

fn weight(text: &str) -> Result<Setting, String> {
    let wrong = || format!("`{text}` is not a weight: expected a whole number from 0 to 65535");
    let number = if starts_with_digit(text) { text.parse().ok() } else { None };
    number.map(Setting::Weight).ok_or_else(wrong)
}

fn mark(text: &str) -> Result<Setting, String> {
    if let Some(priority) = text.strip_prefix("priority") {
        let wrong = || format!("`{text}` is not a priority: expected a number from 0 to {PRIORITY_MAX}");
        let number = priority.trim().parse().ok().filter(|&priority| priority <= PRIORITY_MAX);
        return number.map(Setting::Priority).ok_or_else(wrong);
    }
    if text == "clear" {
        return Ok(Setting::Mark(UserSetting::Clear));
    }
    let nag = nag_of_suffix(text);
    let wrong = || {
        format!("`{text}` is not a mark: expected ! ? !! ?? !? ?!, `priority 0` to `priority 5`, or `clear`")
    };
    nag.map(|nag| Setting::Mark(UserSetting::Nag(nag))).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_as_typed() {
        let line = || "e4 c5".to_owned();
        let set = |setting| Ok(Edit::Set { line: line(), setting });
        assert_eq!(parse("add e4 c5"), Ok(Edit::Add { line: line(), setting: None }));
        let setting = Some(Setting::Weight(7));
        assert_eq!(parse("add  e4 c5 : 7"), Ok(Edit::Add { line: line(), setting }));
        let setting = Some(Setting::Mark(UserSetting::Nag(3)));
        assert_eq!(parse("add e4 c5: !!"), Ok(Edit::Add { line: line(), setting }));
        assert_eq!(parse("drop e4 c5"), Ok(Edit::Drop { line: line() }));
        assert_eq!(parse("weigh e4 c5: 65535"), set(Setting::Weight(65_535)));
        assert_eq!(parse("mark e4 c5: priority 5"), set(Setting::Priority(5)));
        assert_eq!(parse("mark e4 c5: clear"), set(Setting::Mark(UserSetting::Clear)));
        assert_eq!(parse("forbid e4 c5"), set(Setting::Forbidden));
        assert_eq!(parse("prune unreachable"), Ok(Edit::Prune));
        assert_eq!(parse("prune --unreachable"), Ok(Edit::Prune));
        assert_eq!(parse("rename My book: 2nd"), Ok(Edit::Rename("My book: 2nd".into())));
    }

    #[test]
    fn what_is_no_edit_is_said() {
        let wrong = [
            ("ad e4", "`ad` is not an edit"),
            ("", "`` is not an edit"),
            ("add", "no line"),
            ("add : 3", "no line"),
            ("drop e4: 3", "a line consists only of moves"),
            ("weigh e4 3", "no `:`"),
            ("weigh e4: 65536", "from 0 to 65535"),
            ("weigh e4: -1", "from 0 to 65535"),
            ("weigh e4: +1", "from 0 to 65535"),
            ("mark e4: 75", "is not a mark"),
            ("mark e4: priority 6", "from 0 to 5"),
            ("prune", "prune unreachable"),
            ("rename", "needs a name"),
            ("rename a\u{7}b", "one line"),
        ];
        for (text, why) in wrong {
            let said = parse(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
