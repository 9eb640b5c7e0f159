//! Describes an artefact: what it is, how large it is, and what it was made from.

use std::fs;

use book::{Book, polyglot};
use experience::{ExperienceFile, Summary};
use fault::FileFault;
use position::ratio;
use serde::Serialize;
use serde_json::{Value, json};
use table::Table;

use crate::{Artefact, Result};

/// The maximum number of edits that are listed among the facts about a book.
const EDITS_SHOWN: usize = 100;

/// A description of an artefact: facts for people, and full details for programs.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// `book`, `table`, `experience` or `polyglot`.
    pub kind: &'static str,
    /// All details, as JSON.
    pub details: Value,
    /// The facts, each short enough to fit on a line.
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// One fact.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// Describes `artefact`. An experience file or a Polyglot book is read in full, and so is the experience in a
/// book; otherwise, only headers are read.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged.
pub fn info(artefact: &Artefact) -> Result<Info> {
    match artefact {
        Artefact::Book(book) => book_info(book),
        Artefact::Table(table) => Ok(table_info(table)),
        Artefact::Experience(file) => experience_info(file),
        Artefact::Polyglot(reader) => polyglot_info(reader),
    }
}

fn book_info(book: &Book) -> Result<Info> {
    let stats = book.stats();
    let bytes = fs::metadata(book.path()).map_err(FileFault::of("read", book.path()))?.len();
    let mut facts = vec![
        fact("kind", &"book"),
        fact("positions", &stats.positions),
        fact("leaves", &stats.leaves),
        fact("moves", &stats.edges),
        fact("bytes", &bytes),
    ];
    if stats.edges > 0 {
        facts.push(fact("bytes a move", &format!("{:.2}", ratio(bytes, stats.edges))));
    }
    if book.has_experience() {
        let rows = book.experience().try_fold(0u64, |rows, row| row.map(|_| rows + 1))?;
        facts.push(fact("experience", &format!("{rows} rows of {} sources", book.sources()?.len())));
    }
    facts.extend(provenance(book)?);
    let details = json!({
        "positions": stats.positions, "leaves": stats.leaves, "edges": stats.edges, "bytes": bytes,
        "provenance": book.provenance()?, "taught_by": book.sources()?,
    });
    Ok(Info { kind: "book", details, facts })
}

/// Facts about a book's moves: which ones it keeps, and how and from which games they were counted.
///
/// # Errors
///
/// Fails if the book is damaged.
pub fn provenance(book: &Book) -> Result<Vec<Fact>> {
    let provenance = book.provenance()?;
    let mut facts: Vec<_> = provenance["name"].as_str().map(|name| fact("name", &name)).into_iter().collect();
    facts.push(fact("keeps", &text_or(&provenance["book"]["keeps"], "every move")));
    if let Some(promotes) = provenance["book"]["promotes"].as_str() {
        facts.push(fact("promotes", &promotes));
    }
    facts.extend(counting_facts(&provenance));
    facts.extend(edits(&provenance));
    Ok(facts)
}

/// Facts about the edits that made a book. If there are too many to list, the last fact says how many were
/// left out.
fn edits(provenance: &Value) -> Vec<Fact> {
    let edits = provenance["edits"].as_array().map_or(&[][..], Vec::as_slice);
    let named = edits.iter().filter_map(Value::as_str).take(EDITS_SHOWN);
    let mut facts: Vec<_> = named.map(|edit| fact("edited", &edit)).collect();
    if edits.len() > facts.len() {
        facts.push(fact("edited", &format!("… and {} more edits", edits.len() - facts.len())));
    }
    facts
}

fn table_info(table: &Table) -> Info {
    let manifest = table.manifest();
    let rows = manifest.rows;
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.bytes).sum();
    let details = json!(manifest);
    let mut facts = vec![
        fact("kind", &"table"),
        fact("shards", &manifest.shards.len()),
        fact("edges", &rows),
        fact("bytes", &bytes),
    ];
    if rows > 0 {
        facts.push(fact("bytes an edge", &format!("{:.2}", ratio(bytes, rows))));
    }
    facts.extend(counting_facts(&details));
    Info { kind: "table", details, facts }
}

fn experience_info(file: &ExperienceFile) -> Result<Info> {
    let (header, summary) = (file.header(), Summary::of(file)?);
    let mut facts = vec![fact("kind", &"experience"), fact("rows", &file.rows())];
    facts.extend(summary.rows.iter().map(|(kind, rows)| fact(row_fact(kind), rows)));
    facts.push(fact("learned", summary.lessons.get("learn").unwrap_or(&0)));
    facts.push(fact("unplayable", &summary.unplayable));
    facts.push(fact("table", &header.table.as_deref().unwrap_or("none, or several")));
    facts.push(fact(
        "book keeps",
        &match header.book.as_deref() {
            None => "none, or several",
            Some("") => "every move",
            Some(keeps) => keeps,
        },
    ));
    facts.extend(header.sources.iter().map(|source| {
        fact(
            "source",
            &format!(
                "{}: {} of {} records used ({})",
                source.name, source.taught, source.records, source.teacher
            ),
        )
    }));
    Ok(Info { kind: "experience", details: json!({ "header": header, "summary": summary }), facts })
}

fn row_fact(kind: &str) -> &'static str {
    match kind {
        "book" => "book moves",
        "postbook" => "post-book moves",
        "position" => "positions",
        "evaluation" => "evaluations",
        "minimax" => "minimax values",
        _ => "games read",
    }
}

fn polyglot_info(reader: &polyglot::Reader) -> Result<Info> {
    let (entries, bytes) = (reader.entries(), reader.bytes());
    let mut facts = vec![fact("kind", &"Polyglot book"), fact("moves", &entries), fact("bytes", &bytes)];
    let mut details = json!({ "entries": entries });
    if let Some(header) = reader.header() {
        facts.push(fact("variants", &header.variants.join(", ")));
        facts.extend(header.comment.lines().map(|line| fact("header", &line)));
        details["header"] = json!({ "variants": header.variants, "comment": header.comment });
    }
    let unsorted = reader.unsorted()?;
    if unsorted > 0 {
        details["unsorted"] = json!(unsorted);
        let why = "entries have a key below the one before, so probes miss moves: `tabia merge --repair` makes a \
                   sorted book of it";
        facts.push(fact("warning", &format!("{unsorted} {why}")));
    }
    Ok(Info { kind: "polyglot", details, facts })
}

/// Facts about how games were counted and which inputs they came from. A table's manifest and a book's
/// provenance store these facts under the same JSON keys.
fn counting_facts(of: &Value) -> Vec<Fact> {
    let counting = &of["counting"];
    let Some(sources) = of["sources"].as_array() else { return Vec::new() };
    let (held, taken) = balance(sources, of["subtracted"].as_array().map_or(&[], Vec::as_slice));
    let sum = |key: &str| held.iter().filter_map(|source| source[key].as_u64()).sum::<u64>();
    let plies = match counting["max_ply"].as_u64() {
        Some(0) | None => "whole games".into(),
        Some(plies) => format!("{plies} plies"),
    };
    let filters = counting["filters"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let filters = filters.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ");
    let mut facts = vec![
        fact("games counted", &of["games"].as_u64().unwrap_or_else(|| sum("accepted"))),
        fact("games read", &sum("games")),
        fact("counted to", &plies),
        fact("filters", &if filters.is_empty() { "none" } else { &filters }),
        fact("sources", &names(&held)),
    ];
    let strict = counting.is_object() && counting["spelling"] != "lenient";
    facts.extend(strict.then(|| fact("spelling", &"strict: as SAN has it")));
    let source = counting["result_from"].as_str();
    facts.extend(source.map(|source| fact("results from", &source)));
    facts.extend(what_counts(counting).map(|what| fact("counts", &what)));
    let begin = counting["line"].as_str().or_else(|| counting["root"].as_str());
    facts.extend(begin.map(|place| fact("counted from", &place)));
    if !taken.is_empty() {
        facts.push(fact("without", &names(&taken)));
    }
    facts.extend(roots_fact(of));
    let examples = &of["examples"];
    if let (Some(per_row), Some(least)) = (examples["per_row"].as_u64(), examples["min_games"].as_u64()) {
        let games = &examples["games"]["entries"];
        let which = format!(
            "{games} games: the {per_row} best rated and {per_row} newest of each edge that has at least {least}"
        );
        facts.push(fact("examples", &which));
    }
    if let Some(dedup) = of["fingerprints"]["dedup_games"].as_str() {
        facts.push(fact("copies left out", &format!("{}, {dedup}", sum("copies"))));
    }
    facts
}

/// Describes the roots in one fact: how many roots there are, and how many games began at them. `None` if
/// there are no roots.
fn roots_fact(of: &Value) -> Option<Fact> {
    let shards = of["shards"].as_array()?.iter().map(|shard| &shard["roots"]);
    let [mut roots, mut games] = [0, 0];
    for shard in shards.filter(|shard| shard.is_object()) {
        roots += shard["roots"].as_u64().unwrap_or(0);
        games += shard["tally"].as_array().into_iter().flatten().filter_map(Value::as_u64).sum::<u64>();
    }
    let text = format!("{roots} positions, {games} games");
    (roots > 0).then(|| fact("started from a FEN", &text))
}

/// Describes which games were counted; `None` if games without a result were left out.
fn what_counts(counting: &Value) -> Option<&'static str> {
    if counting["repertoire"] == true {
        Some("lines of a repertoire, each as a draw")
    } else {
        (counting["unknown_result"] == "draw").then_some("games, those without a result as draws")
    }
}

/// Cancels out subtracted sources: if a subtracted source equals one of the sources, both are dropped.
/// Returns the remaining sources and the remaining subtracted sources. A subtracted source remains if it was
/// made with different filters or from a different file; its games are then only a part of the games in
/// another source.
fn balance<'v>(sources: &'v [Value], subtracted: &'v [Value]) -> (Vec<&'v Value>, Vec<&'v Value>) {
    let (mut held, mut taken): (Vec<_>, Vec<_>) = (sources.iter().collect(), Vec::new());
    for source in subtracted {
        let is_same =
            |held: &&Value| held["xxh3"] == source["xxh3"] && held["accepted"] == source["accepted"];
        match held.iter().position(is_same) {
            Some(same) => drop(held.remove(same)),
            None => taken.push(source),
        }
    }
    (held, taken)
}

/// The names of the first few sources.
fn names(sources: &[&Value]) -> String {
    let names: Vec<_> = sources.iter().filter_map(|source| source["name"].as_str()).take(3).collect();
    match sources.len() - names.len() {
        _ if sources.is_empty() => "none".into(),
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

fn fact(name: &'static str, value: &impl ToString) -> Fact {
    Fact { name, value: value.to_string() }
}

fn text_or(value: &Value, empty: &str) -> String {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or(empty).to_owned()
}
