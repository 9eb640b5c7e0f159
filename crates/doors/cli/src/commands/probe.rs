//! `tabia probe`: prints a position's moves as a text table or as JSON.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::bail;
use clap::Args;
use count::WeighGames;
use experience::{KnownExperience, signed};
use pipeline::StartPosition;
use position::Tally;
use query::{
    Artefact, Chooser, ExampleGames, GamePlayer, GamesFilter, KnownMove, Opening, Probe, ProbedMove, View,
};
use run::values::parse_policy_setting;
use serde::Serialize;
use shakmaty::{Chess, File, Piece, Position as _, Rank, Role, Square};

use crate::{
    clock::today,
    exit::{self, Usage},
    format::{
        counted,
        explain::{chances, explain, notes},
        grouped,
        known::values,
        percent,
    },
    help::{Short, examples},
    terminal::{self, in_line},
};

#[derive(Args)]
#[command(add = Short("line fen games policy set explain json"))]
#[command(after_help = examples("\
tabia probe book.tabia --line \"1. e4 e5\"
tabia probe book.bin --fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"
tabia probe games.table --policy terra --set book-limit=33 --explain"))]
pub(crate) struct ProbeArgs {
    /// A book, a table, an experience file or a Polyglot book
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the games that a table keeps as examples of the position: the N games with the highest ratings,
    /// and the N newest games
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "8")]
    games: Option<usize>,
    #[command(flatten)]
    position: StartPosition,
    #[command(flatten)]
    choosing: ProbePolicyArgs,
}

/// A policy and its settings, if one is named.
#[derive(Args)]
#[command(next_help_heading = "Choosing")]
pub(crate) struct ProbePolicyArgs {
    /// Show the probability that this policy gives each move; `tabia policies` lists all policies
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// A setting of the policy, such as book-limit=40; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting, requires = "policy")]
    set: Vec<(String, String)>,
    /// Show how the policy computes these probabilities: every value, group and exclusion
    #[arg(long, requires = "policy")]
    explain: bool,
    #[command(flatten)]
    weigh: WeighGames,
}

impl ProbePolicyArgs {
    fn chooser(&self) -> query::Result<Option<Chooser>> {
        self.policy.as_deref().map(|name| Chooser::new(name, &self.set)).transpose()
    }
}

/// `tabia probe`.
pub(crate) fn probe(args: &ProbeArgs) -> anyhow::Result<()> {
    let chooser = args.choosing.chooser()?;
    let way = args.position.way()?;
    let (position, opening) = (&way.position, Opening::on_line(&way.start, &way.moves));
    let weights = args.choosing.weigh.weights();
    if chooser.is_none() && !weights.is_none() {
        bail!(Usage("weights of games need a policy that uses them: name one with --policy".into()));
    }
    let (probe, games) = Artefact::ask(&args.file, |artefact| {
        let games = args.games_of(artefact, position);
        let Some(chooser) = &chooser else { return Ok((query::probe(artefact, position)?, games?)) };
        let chooser = chooser.clone().weigh(weights, artefact)?;
        Ok((View::of(artefact).judged_probe(position, chooser)?, games?))
    })?;
    let doubt = probe.choice.as_ref().and_then(|choice| choice.chooser.doubt(today()));
    exit::warn(doubt.as_slice());
    let mut out = terminal::stdout();
    if args.json {
        return Ok(out.json(&ProbeAnswer { opening, probe, games })?);
    }
    write_head(&mut out, &probe, opening, position)?;
    write_probe(&mut out, &probe)?;
    if let Some(choice) = &probe.choice {
        if args.choosing.explain {
            explain(&mut out, choice)?;
        }
        notes(&mut out, choice)?;
    }
    Ok(write_games(&mut out, args, games.as_ref())?)
}

impl ProbeArgs {
    /// Returns example games of the position, if the user asks for them and the table keeps them.
    fn games_of(&self, artefact: &Artefact, position: &Chess) -> query::Result<Option<ExampleGames>> {
        let Some(count) = self.games else { return Ok(None) };
        query::example_games(artefact, position, &GamesFilter::default(), (count, count))
    }
}

/// If the user asks for example games, writes those of the position, or says that none are kept.
fn write_games(out: &mut impl Write, args: &ProbeArgs, games: Option<&ExampleGames>) -> io::Result<()> {
    let Some(ExampleGames { top, recent }) = games else {
        let missing = args
            .games
            .map(|_| writeln!(out, "\nno games are kept: a table keeps those of `count --examples`"));
        return missing.unwrap_or(Ok(()));
    };
    for (title, games) in [("best rated", top), ("newest", recent)] {
        writeln!(
            out,
            "\n{title} of the games that are kept:{}",
            if games.is_empty() { " none" } else { "" }
        )?;
        for game in games {
            let result: &str = game.outcome.into();
            let year = game.year.map_or_else(|| "????".into(), |year| year.to_string());
            let date = game.month.clone().unwrap_or(year);
            let [white, black] = [&game.white, &game.black].map(named);
            writeln!(out, "  {:7}  {date:7}  {result:7}  {white} - {black}  {}", game.san, game.id)?;
        }
    }
    Ok(())
}

/// Formats a player's name, followed by the rating if it is known.
fn named(player: &GamePlayer) -> String {
    let name = in_line(&player.name);
    if player.rating == 0 { name.to_string() } else { format!("{name} ({})", player.rating) }
}

/// The answer as JSON, including the last named opening on the way to the position.
#[derive(Serialize)]
struct ProbeAnswer {
    opening: Option<Opening>,
    #[serde(flatten)]
    probe: Probe,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<ExampleGames>,
}

/// Writes the position's FEN, key and opening, and a board if the terminal can show one.
fn write_head(
    out: &mut impl Write,
    probe: &Probe,
    opening: Option<Opening>,
    position: &Chess,
) -> io::Result<()> {
    writeln!(out, "{}   key {}", probe.fen, probe.key)?;
    if let Some(opening) = opening {
        writeln!(out, "{opening}")?;
    }
    if terminal::shows_pieces() { write_board(out, position) } else { Ok(()) }
}

/// The pieces, White below.
fn write_board(out: &mut impl Write, position: &Chess) -> io::Result<()> {
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "  {rank}")?;
        for file in File::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            write!(out, " {}", piece.map_or('·', figurine))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "    a b c d e f g h")
}

/// Returns the Unicode character for a piece.
fn figurine(piece: Piece) -> char {
    let [white, black] = match piece.role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    piece.color.fold_wb(white, black)
}

fn write_probe(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    if !probe.found {
        writeln!(out, "not in {}", probe.source)?;
        return write_outside(out, probe);
    }
    if let Some(tally) = probe.tally {
        let visits = counted(tally.games(), "visit", "visits");
        let share = |part| percent(part, tally.games());
        let (white, draws, black) = (share(tally.white), share(tally.draws), share(tally.black));
        writeln!(out, "{visits}: White {white}, drawn {draws}, Black {black}")?;
    }
    if !probe.moves.is_empty() {
        writeln!(out)?;
        write_moves(out, probe)?;
    } else if probe.tally.is_some() {
        writeln!(out, "no move of it is kept: a leaf")?;
    }
    write_outside(out, probe)?;
    write_beyond(out, probe)
}

/// Writes the moves that the policy can choose although they are not in the book.
fn write_outside(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    let inside = |uci: &str| probe.moves.iter().any(|mv| mv.uci == uci);
    let moves = probe.choice.iter().flat_map(|choice| &choice.moves);
    let outside: Vec<_> = moves.filter(|mv| mv.probability > 0.0 && !inside(&mv.uci)).collect();
    if !outside.is_empty() {
        writeln!(out, "\nchosen from outside the book's moves:")?;
    }
    for chosen in outside {
        writeln!(out, "  {}  {}", chosen.san, chances(Some(chosen)))?;
    }
    Ok(())
}

/// Writes the experience of the position itself, and of moves that the book does not keep.
fn write_beyond(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    if !probe.beyond.is_empty() {
        writeln!(out, "\nknown beyond the book's moves:")?;
    }
    for KnownMove { mv, known, .. } in &probe.beyond {
        for value in values(known) {
            writeln!(out, "  {} [{}] {value}", mv.as_deref().unwrap_or("the position"), known.kind)?;
        }
    }
    Ok(())
}

/// Formats a value: in pawns, such as `+0.35`, or as the number of moves to mate, such as `#3`.
fn value_of(known: &KnownExperience) -> Option<String> {
    known.mate.map(|mate| format!("#{mate}")).or_else(|| known.eval.map(signed))
}

/// A column's title and cells. The column is shown if at least one move has a value in it.
type MoreColumn<'c> = (&'static str, &'c dyn Fn(&ProbedMove) -> Option<String>);

fn write_moves(out: &mut impl Write, probe: &Probe) -> io::Result<()> {
    let known = probe.moves.iter().any(|mv| mv.known.is_some());
    let mut rows: Vec<Vec<String>> = match probe.tally {
        Some(position) => probe.moves.iter().map(|mv| counted_row(mv, position, known)).collect(),
        None => probe.moves.iter().map(|mv| weighted_row(mv, probe)).collect(),
    };
    let mut header = match probe.tally {
        Some(_) => vec!["move", "games", "share", "White", "drawn", "Black", "score"],
        None => vec!["move", "weight", "share"],
    };
    if known && probe.tally.is_some() {
        header.extend(["learned", "own", "set", "play"]);
    }
    let more: [MoreColumn<'_>; 4] = [
        ("eval", &|mv| mv.evaluation.as_ref().and_then(value_of)),
        ("minimax", &|mv| mv.minimax.as_ref().and_then(value_of)),
        ("Elo", &|mv| mv.average_elo.map(|elo| format!("{elo:.0}"))),
        ("chance", &|mv| {
            let choice = probe.choice.as_ref()?;
            Some(chances(choice.moves.iter().find(|chosen| chosen.uci == mv.uci)))
        }),
    ];
    for (title, cell) in more {
        if probe.moves.iter().any(|mv| cell(mv).is_some()) {
            header.push(title);
            for (row, mv) in rows.iter_mut().zip(&probe.moves) {
                row.push(cell(mv).unwrap_or_default());
            }
        }
    }
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    write_row(out, &widths, header.iter().copied())?;
    rows.iter().try_for_each(|row| write_row(out, &widths, row.iter().map(String::as_str)))?;
    let has_priority = |mv: &ProbedMove| mv.known.as_ref().is_some_and(|known| known.priority.is_some());
    if probe.tally.is_some() && probe.moves.iter().any(has_priority) {
        writeln!(
            out,
            "set: by hand, a value from 0 (never) to 100 and a priority from p0 (never) to p5 (best)"
        )?;
    }
    Ok(())
}

/// Writes a row: the first column is aligned left, numbers are aligned right.
fn write_row<'c>(
    out: &mut impl Write,
    widths: &[usize],
    cells: impl Iterator<Item = &'c str>,
) -> io::Result<()> {
    for (column, (cell, width)) in cells.zip(widths).enumerate() {
        if column == 0 { write!(out, "{cell:width$}")? } else { write!(out, "  {cell:>width$}")? }
    }
    writeln!(out)
}

fn counted_row(mv: &ProbedMove, position: Tally, known: bool) -> Vec<String> {
    let tally = mv.tally.unwrap_or_default();
    let share = |part| percent(part, tally.games());
    let mut row = vec![
        mv.name().to_owned(),
        grouped(tally.games()),
        percent(tally.games(), position.games()),
        share(tally.white),
        share(tally.draws),
        share(tally.black),
        mv.score.map_or_else(String::new, |score| format!("{:.1} %", score * 100.0)),
    ];
    if known {
        row.extend(known_cells(mv.known.as_ref()));
    }
    row
}

/// Returns a move's experience as table cells: learned value, own wins/draws/losses, value and priority set
/// by hand, and whether the move may be played.
fn known_cells(known: Option<&KnownExperience>) -> [String; 4] {
    let Some(known) = known else { return [String::new(), String::new(), String::new(), "yes".into()] };
    let own = known.own.map(|own| format!("{}/{}/{}", own.wins, own.draws, own.losses));
    let value = known.user_value.map(|value| value.to_string());
    let priority = known.priority.map(|priority| format!("p{priority}"));
    let set: Vec<_> = value.into_iter().chain(priority).collect();
    [
        known.learn.map_or_else(String::new, signed),
        own.unwrap_or_default(),
        set.join(" "),
        if known.playable { "yes" } else { "no" }.into(),
    ]
}

fn weighted_row(mv: &ProbedMove, probe: &Probe) -> Vec<String> {
    let total = probe.moves.iter().map(|mv| u64::from(mv.weight.unwrap_or(0))).sum();
    let weight = u64::from(mv.weight.unwrap_or(0));
    vec![mv.name().to_owned(), grouped(weight), percent(weight, total)]
}
