//! Compares and combines the provenance of books, that is, the record of where their counts come from.

use std::collections::BTreeSet;

use book::Book;
use run::Result;
use serde_json::{Value, json};
use table::{CountedInput, Counting};

use super::BooksError;

/// The parts of a book's provenance that are needed to merge the book with others.
pub(super) struct Origin {
    provenance: Value,
    /// How games were counted; `None` if the book does not record it.
    counting: Option<Counting>,
    sources: Vec<CountedInput>,
}

impl Origin {
    pub(super) fn of(book: &Book) -> Result<Self> {
        let provenance = book.provenance()?;
        let counting = serde_json::from_value(provenance["counting"].clone()).ok();
        let sources = serde_json::from_value(provenance["sources"].clone()).unwrap_or_default();
        Ok(Self { provenance, counting, sources })
    }

    /// A description of the moves that the book's filter kept; empty if it kept every move.
    pub(super) fn keeps(&self) -> &str {
        self.provenance["book"]["keeps"].as_str().unwrap_or_default()
    }

    /// Whether the book contains every move that was played. If it does, a move that is not in the book was
    /// not played in any of its games.
    pub(super) fn is_complete(&self) -> bool {
        let is_edited = !self.provenance["edits"].is_null();
        !is_edited && self.provenance["book"]["keeps"] == "" && self.provenance["book"]["promotes"].is_null()
    }

    /// The books that this one was merged from, or just this one if it was not merged.
    fn parts(&self, book: &Book) -> Vec<Value> {
        if let Some(parts) = self.provenance["book"]["merged"].as_array() {
            return parts.clone();
        }
        let games = &self.provenance["games"];
        vec![json!({ "digest": book.digest(), "keeps": self.keeps(), "games": games })]
    }
}

/// Refuses books that were counted in different ways and, unless `force` is set, also refuses books that
/// count the same source. Returns warnings about books that do not record how they were counted.
pub(super) fn check(books: &[Book], origins: &[Origin], force: bool) -> Result<Vec<String>, BooksError> {
    let counted =
        || books.iter().zip(origins).filter_map(|(book, origin)| Some((book, origin.counting.as_ref()?)));
    for (book, counting) in counted() {
        let Some((first, expected)) = counted().next() else { continue };
        if let Some((option, expected, got)) = without_split(expected).disagreement(&without_split(counting))
        {
            let (path, other) = (book.path().into(), first.path().into());
            return Err(BooksError::Disagree { path, other, option, expected, got });
        }
    }
    if !force {
        refuse_repeated(books, origins)?;
    }
    let silent = books.iter().zip(origins).filter(|(_, origin)| origin.counting.is_none());
    let warning = |(book, _): (&Book, _)| {
        let path = book.path().display();
        format!(
            "{path} does not record how its games were counted, so it is unknown whether its counts can be added to others"
        )
    };
    Ok(silent.map(warning).collect())
}

/// Returns the counting options, except those for groups and ratings. Books may differ in these two options,
/// because a book contains only sums over all groups, and contains no ratings.
fn without_split(counting: &Counting) -> Counting {
    Counting { groups: table::Groups::NONE, ratings: false, ..counting.clone() }
}

fn refuse_repeated(books: &[Book], origins: &[Origin]) -> Result<(), BooksError> {
    for (index, (book, origin)) in books.iter().zip(origins).enumerate() {
        let mut before = origins[..index].iter().flat_map(|origin| &origin.sources);
        let is_repeated = |source: &&CountedInput| before.any(|known| known.may_be(source));
        if let Some(source) = origin.sources.iter().find(is_repeated) {
            let (name, identity) = (source.name.clone(), source.identity());
            return Err(BooksError::SourceRepeated { path: book.path().into(), name, identity });
        }
    }
    Ok(())
}

/// Combines the provenance of all books. The order of the books makes no difference to the result.
pub(super) fn joined(books: &[Book], origins: &[Origin]) -> Value {
    let mut sources: Vec<_> = origins.iter().flat_map(|origin| &origin.sources).collect();
    sources.sort();
    let countings = origins.iter().filter_map(|origin| origin.counting.as_ref());
    let counting = join_counting(countings.map(without_split));
    let games: u64 = origins.iter().filter_map(|origin| origin.provenance["games"].as_u64()).sum();
    let mut parts: Vec<_> = books.iter().zip(origins).flat_map(|(book, origin)| origin.parts(book)).collect();
    parts.sort_by_key(Value::to_string);
    let kept: BTreeSet<_> = origins.iter().map(Origin::keeps).collect();
    let named = |text: &&str| if text.is_empty() { "every move" } else { *text }.to_owned();
    let keeps = match kept.first() {
        Some(only) if kept.len() == 1 => (*only).to_owned(),
        _ => kept.iter().map(named).collect::<Vec<_>>().join(" or "),
    };
    let mut book = json!({ "keeps": keeps, "merged": parts });
    let promotes: BTreeSet<_> =
        origins.iter().filter_map(|origin| origin.provenance["book"]["promotes"].as_str()).collect();
    if !promotes.is_empty() {
        book["promotes"] = json!(promotes.into_iter().collect::<Vec<_>>().join(" or "));
    }
    let mut joined = json!({
        "counting": counting, "games": games, "sources": sources, "book": book, "created_by": table::CREATED_BY,
    });
    add_edits(&mut joined, &joined_edits(origins));
    if let Some(name) = common_name(origins) {
        joined["name"] = name.clone();
    }
    joined
}

/// Adds edits to a book's provenance, after those that it already lists.
pub(super) fn add_edits(provenance: &mut Value, edits: &[String]) {
    if edits.is_empty() {
        return;
    }
    match &mut provenance["edits"] {
        Value::Array(before) => before.extend(edits.iter().map(|edit| json!(edit))),
        none => *none = json!(edits),
    }
}

/// Concatenates the books' lists of edits. The order of the edits within each list is kept. The lists
/// themselves are sorted first, so the order of the books makes no difference.
fn joined_edits(origins: &[Origin]) -> Vec<String> {
    let of = |origin: &Origin| serde_json::from_value(origin.provenance["edits"].clone()).unwrap_or_default();
    let mut edits: Vec<Vec<String>> = origins.iter().map(of).collect();
    edits.sort();
    edits.concat()
}

/// The books' name, if all of them have the same name.
fn common_name(origins: &[Origin]) -> Option<&Value> {
    let mut names = origins.iter().map(|origin| &origin.provenance["name"]);
    let first = names.next().filter(|name| name.is_string())?;
    names.all(|name| name == first).then_some(first)
}

/// Combines the records of how the books were counted: the options that all books share, and the filters of
/// every book.
fn join_counting(countings: impl Iterator<Item = Counting>) -> Option<Counting> {
    countings.reduce(|mut joined, counting| {
        joined.join(counting);
        joined
    })
}
