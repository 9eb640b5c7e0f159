//! Links of a page: to files that are there, and to headings that they have.

use std::{fs, path::Path};

/// The relative links of a page that lead nowhere.
pub(super) fn broken(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let leads_nowhere = |link: &&str| !leads(page, link);
    links(&text).into_iter().filter(leads_nowhere).map(|link| format!("{}: {link}", page.display())).collect()
}

/// The targets of links, in text but not in blocks of code.
fn links(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.starts_with("```");
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        links.extend(targets.map(|(link, _)| link).filter(|link| !in_block && !link.contains("://")));
    }
    links
}

fn leads(page: &Path, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(path) };
    if anchor.is_empty() {
        return target.exists();
    }
    fs::read_to_string(target).is_ok_and(|text| headings(&text).iter().any(|heading| heading == anchor))
}

/// The headings as links name them: lower case, dashes for blanks, without other marks.
fn headings(text: &str) -> Vec<String> {
    let mut in_block = false;
    let mut is_heading = |line: &&str| {
        in_block ^= line.starts_with("```");
        !in_block && line.starts_with('#')
    };
    let anchor = |line: &str| -> String {
        let name = line.trim_start_matches('#').trim().to_lowercase();
        let kept = name.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    text.lines().filter(|line| is_heading(line)).map(anchor).collect()
}

#[test]
fn headings_become_anchors() {
    assert_eq!(
        headings("# `tabia learn set`\n```\n# no\n```\n## On the command line?"),
        ["tabia-learn-set", "on-the-command-line"]
    );
    assert_eq!(links("[a](b.md#c) [d](https://e)\n```\n[f](g)\n```\n"), ["b.md#c"]);
}
