//! The blocks of code of a page, and whether a command printed what a page says.

/// A block of code.
#[derive(Debug)]
pub(super) struct Block {
    /// The line of the page that it begins at, from 1.
    pub(super) line: usize,
    /// Its language, and what follows it.
    pub(super) kind: String,
    pub(super) code: String,
    /// The block of text right after it: what it prints.
    prints: Option<String>,
}

/// The blocks of a page.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut follows = false;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                let (kind, code) = (kind.trim().to_owned(), String::new());
                open = Some(Block { line: index + 1, kind, code, prints: None });
            }
            (Some(_), Some(_)) => {
                let block = open.take().unwrap();
                match blocks.last_mut().filter(|last| follows && last.runs() && block.kind == "text") {
                    Some(last) => last.prints = Some(block.code),
                    None => blocks.push(block),
                }
                follows = true;
            }
            (None, Some(block)) => block.code.extend([line, "\n"]),
            (None, None) => follows = follows && line.trim().is_empty(),
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

impl Block {
    /// Whether it is run.
    pub(super) fn runs(&self) -> bool {
        self.kind == "sh"
    }

    /// Why it is not run.
    pub(super) fn reason(&self) -> Option<&str> {
        self.kind.strip_prefix("sh norun:").map(str::trim).filter(|reason| !reason.is_empty())
    }

    /// The first line that differs from what the page says.
    pub(super) fn difference(&self, printed: &str) -> Option<String> {
        let said = self.prints.as_ref()?;
        let (mut said, mut printed) = (said.lines().map(str::trim_end), printed.lines().map(str::trim_end));
        loop {
            match (said.next(), printed.next()) {
                (None, None) => return None,
                // The rest is not shown.
                (Some("…"), _) if said.clone().next().is_none() => return None,
                (Some(said), Some(printed)) if is_like(said, printed) => {}
                (said, printed) => return Some(format!("the page says {said:?}, it prints {printed:?}")),
            }
        }
    }
}

/// Whether a line is the one that a page shows: `…` is any text, and how long a run took is not compared.
fn is_like(said: &str, printed: &str) -> bool {
    let took = |line: &str| line.contains(" s, peak memory ");
    if took(said) && took(printed) {
        return true;
    }
    let mut parts = said.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = if part.is_empty() { "" } else { &rest[at + part.len()..] };
        open = true;
    }
    rest.is_empty() || (open && said.ends_with('…'))
}

#[test]
fn lines_with_gaps_are_compared() {
    for (said, printed) in [
        ("a b", "a b"),
        ("a … c", "a b c"),
        ("a …", "a b c"),
        ("0.1 s, peak memory 3 MiB", "2.14 s, peak memory 55.1 MiB"),
    ] {
        assert!(is_like(said, printed), "{said} {printed}");
    }
    assert!(!is_like("a … c", "a b d") && !is_like("a", "a b") && !is_like("b …", "a b"));
}

#[test]
fn a_text_after_commands_is_what_they_print() {
    let page = "```sh\nls\n```\n\n```text\na\n…\n```\n\nword\n\n```text\nb\n```\n```sh norun: slow\nx\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks.len(), 3);
    assert_eq!(blocks[0].prints.as_deref(), Some("a\n…\n"));
    assert!(blocks[0].difference("a\nz\nz\n").is_none() && blocks[0].difference("b\n").is_some());
    assert!(blocks[2].reason() == Some("slow") && !blocks[2].runs() && blocks[1].prints.is_none());
}
