//! Prints JSON for programs and text for people. In text for people, characters that a terminal acts on are
//! escaped.
//!
//! The names of files and archive members, the tags of games and the provenance of books come from other
//! people. A control character in such text could move the cursor, change the title or answer for the user,
//! so control characters are always escaped.

mod closed;

use std::{
    borrow::Cow,
    fmt::{Display, Write as _},
    fs::File,
    io::{self, IsTerminal as _, StderrLock, StdoutLock, Write},
    os::fd::AsFd as _,
};

use rustix::io::Errno;
use serde::Serialize;

/// A stream that people read: all characters that a terminal acts on are escaped, except line ends.
pub(crate) struct EscapingWriter<W>(W);

/// Standard output for people; a write to a closed standard output fails.
pub(crate) struct Stdout(StdoutLock<'static>);

/// Standard output.
pub(crate) fn stdout() -> EscapingWriter<Stdout> {
    EscapingWriter(Stdout(io::stdout().lock()))
}

/// Returns standard output for binary data, which another program reads. Nothing is escaped.
pub(crate) fn binary_stdout() -> io::Result<File> {
    check_stdout()?;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Whether standard output is a terminal whose locale can show the figurines of chess pieces.
pub(crate) fn shows_pieces() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let is_unicode = locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").ends_with("utf8"));
    is_unicode && io::stdout().is_terminal()
}

/// Fails if standard output is closed.
pub(crate) fn check_stdout() -> io::Result<()> {
    if closed::is_closed() { Err(Errno::BADF.into()) } else { Ok(()) }
}

/// Standard error.
pub(crate) fn stderr() -> EscapingWriter<StderrLock<'static>> {
    EscapingWriter(io::stderr().lock())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_stdout()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> EscapingWriter<W> {
    /// Prints a value as indented JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        writeln!(self.0)
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(escaped(&text, |c| c != '\n' && is_active(c)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Escapes an untrusted string so that it can be printed on a single line. Characters that a terminal acts on
/// become sequences such as `\u{1b}`, and line ends become `\n`.
pub(crate) fn in_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_active)
}

/// Whether a terminal acts on a character. Terminals act on control characters, such as ESC, BEL, DEL and CSI
/// (U+009B), and on characters that change the direction of the text after them.
fn is_active(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            // Writing to a string cannot fail.
            let _ = write!(safe, "{}", c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe.into()
}

/// Tells the GUI why the player did not start, because GUIs seldom show standard error.
pub(crate) fn tell_gui<E: Display>(error: &E) {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    // If the GUI is gone, there is no one to tell.
    let _ = writeln!(io::stdout(), "info string error: {}", in_line(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        for (text, safe) in [
            ("\u{1b}[31mred\u{1b}[0m", r"\u{1b}[31mred\u{1b}[0m"),
            ("\u{9b}2J", r"\u{9b}2J"),
            ("bell\u{7} delete\u{7f} back\u{8}", r"bell\u{7} delete\u{7f} back\u{8}"),
            ("one\r\ntwo\tthree", r"one\r\ntwo\tthree"),
            ("abc\u{202e}txt.\u{2066}", r"abc\u{202e}txt.\u{2066}"),
            ("Kühn – Šolc “x” 象", "Kühn – Šolc “x” 象"),
        ] {
            assert_eq!(in_line(text), safe);
        }
    }

    #[test]
    fn lines_of_our_own_stay_lines() {
        let mut out = EscapingWriter(Vec::new());
        write!(out, "a\n  \u{1b}]0;title\u{7}\n").unwrap();
        out.json_line(&["\u{1b}"]).unwrap();
        let text = String::from_utf8(out.0).unwrap();
        assert_eq!(text, "a\n  \\u{1b}]0;title\\u{7}\n[\"\\u001b\"]\n");
    }
}
