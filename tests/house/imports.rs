//! Reads what a source file imports of its crate.

use std::collections::BTreeMap;

/// The names, paths' `::` and other signs of a source text; without comments, texts and letters.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => quoted_len(rest),
            'r' if raw_len(rest) > 0 => raw_len(rest),
            '\'' => letter_len(rest),
            ':' if rest.starts_with("::") => 2,
            _ if is_of_name(first) => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() && !token.contains(['/', '"', '\'']) {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the text in quotes that `text` begins with.
fn quoted_len(text: &str) -> usize {
    let mut escaped = false;
    let closes = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    text.bytes().skip(1).position(closes).map_or(text.len(), |inside| inside + 2)
}

/// The length of a raw text that `text` begins with; 0 if it begins otherwise.
fn raw_len(text: &str) -> usize {
    let signs = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    let end = format!("\"{}", "#".repeat(signs));
    let inside = text[1 + signs..].strip_prefix('"');
    inside.map_or(0, |inside| inside.find(&end).map_or(text.len(), |at| signs + 2 + at + end.len()))
}

/// The length of a letter in quotes; 1 where a lifetime begins.
fn letter_len(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((at, _))) => text[at + 1..].find('\'').map_or(1, |end| at + end + 2),
        (_, Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// The names that follow `crate::`, or as many `super::` as lead to the root of the crate; those in test
/// modules are left out. The file is at `depth` below `src`: 1 in `src` itself.
pub(super) fn heads<'t>(tokens: &[&'t str], depth: usize) -> Vec<&'t str> {
    let (mut heads, mut at) = (Vec::new(), 0);
    // How many braces are open, and at how many each module inside the file began.
    let (mut open, mut inside) = (0, Vec::new());
    while at < tokens.len() {
        let rest = &tokens[at..];
        at += 1;
        match rest[0] {
            "#" if rest.starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) => {
                at += test_module_len(&rest[7..]);
            }
            "{" => {
                open += 1;
                inside.extend((at > 2 && tokens[at - 3] == "mod").then_some(open));
            }
            "}" => {
                inside.pop_if(|module| *module == open);
                open -= 1;
            }
            "crate" => heads.extend(names_after(&rest[1..])),
            "super" if at < 2 || tokens[at - 2] != "::" => {
                let supers = rest.chunks(2).take_while(|pair| *pair == ["super", "::"]).count();
                if supers == depth + inside.len() {
                    heads.extend(names_after(&rest[2 * supers - 1..]));
                }
            }
            _ => {}
        }
    }
    heads
}

/// The length of the test module in braces that comes after `#[cfg(test)]`; 0 if something else does.
fn test_module_len(tokens: &[&str]) -> usize {
    let Some(module) = tokens.iter().position(|token| *token == "mod") else { return 0 };
    let attributes_only = module == 0 || tokens[0] == "#" && tokens[module - 1] == "]";
    if !attributes_only || tokens.get(module + 2) != Some(&"{") {
        return 0;
    }
    let mut open = 0;
    let closes = |token: &&str| {
        open += i32::from(*token == "{") - i32::from(*token == "}");
        open == 0
    };
    let end = tokens[module + 2..].iter().position(closes).unwrap_or(0);
    7 + module + 2 + end
}

/// The first names of the paths after a root: of `::name::…`, or of each in `::{name::…, name::…}`.
fn names_after<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    match tokens {
        ["::", "{", list @ ..] => {
            let (mut names, mut open, mut is_first) = (Vec::new(), 0, true);
            for &token in list {
                match token {
                    "{" => open += 1,
                    "}" if open == 0 => break,
                    "}" => open -= 1,
                    "," if open == 0 => is_first = true,
                    name if is_first => {
                        names.push(name);
                        is_first = false;
                    }
                    _ => {}
                }
            }
            names
        }
        ["::", name, ..] => vec![name],
        _ => Vec::new(),
    }
}

/// In which module each name is that a crate's root imports.
pub(super) fn reexports<'t>(tokens: &[&'t str]) -> BTreeMap<&'t str, &'t str> {
    let mut defined_in = BTreeMap::new();
    for statement in tokens.split(|token| *token == ";") {
        let Some(at) = statement.iter().position(|token| *token == "use") else { continue };
        let mut names = statement[at + 1..].iter().filter(|token| token.starts_with(is_of_name));
        let Some(module) = names.find(|name| !["crate", "self"].contains(*name)) else { continue };
        names.for_each(|name| {
            defined_in.entry(*name).or_insert(*module);
        });
    }
    defined_in
}

#[test]
fn heads_are_read_in_every_form() {
    let text = r##"
        //! A comment with `crate::comment::Name`, and an 'apostrophe.
        use crate::{one::{A, B}, Two, three};
        use super::four;
        pub(crate) fn go<'a>(of: &'a str) -> crate::five::Name {
            let _ = ('{', b'\'', '"', "crate::text // {", r#"crate::raw::" "#);
            self::inner::crate_like::x()
        }
        mod inner {
            use super::not_of_the_root;
            use super::super::six;
        }
        #[cfg(test)]
        #[expect(clippy::unwrap_used)]
        mod tests {
            use crate::of_tests;
        }
        use crate::seven;
    "##;
    assert_eq!(heads(&tokens(text), 1), ["one", "Two", "three", "four", "five", "six", "seven"]);
    assert_eq!(heads(&tokens("use super::super::{up, to}; use super::near;"), 2), ["up", "to"]);
}

#[test]
fn names_of_a_root_are_those_of_its_modules() {
    let text = "mod a; pub use a::{One, Two}; pub(crate) use crate::b::Three; use self::c::four;";
    let expected = [("One", "a"), ("Three", "b"), ("Two", "a"), ("four", "c")];
    assert_eq!(reexports(&tokens(text)), BTreeMap::from(expected));
}
