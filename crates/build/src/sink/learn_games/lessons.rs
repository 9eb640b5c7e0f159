//! What own games teach, one game after another.

use std::collections::{BTreeMap, HashSet};

use experience::{Change, Lessons as Taken, join_taught};
use learn::{
    crafty::{Family, LearningBook, Origin},
    games,
    search::LiveGame,
};
use position::{Experience, ExperienceKind, Key, Lesson, PackedMove, Taught};
use table::ExperienceFile;

use super::own_game::{Searched, SpooledGame};
use crate::{
    Context, Result,
    driver::Read,
    sink::learn_crafty::{SeenRecord, Teaching, seen_before},
    spool::Spool,
};

/// All lessons, before they are written.
pub(super) struct GameLessons {
    pub(super) book: LearningBook,
    pub(super) gathered: BTreeMap<(Key, PackedMove, ExperienceKind), Gathered>,
    pub(super) seen: Vec<SeenRecord>,
}

/// What games taught about one move.
#[derive(Default)]
pub(super) struct Gathered {
    known: Experience,
    taught: Vec<Taught>,
}

impl Gathered {
    fn add(&mut self, more: &Experience, taught: &[Taught]) {
        self.known = learn::experience::merge(&self.known, more);
        self.taught = join_taught(&self.taught, taught);
    }

    /// What was gathered, as a change of one row.
    pub(super) fn change(self, (key, mv, kind): (Key, PackedMove, ExperienceKind)) -> Change {
        let lessons =
            if kind == ExperienceKind::Book { Taken::Own(self.known.own) } else { Taken::Search(self.known) };
        Change { key, mv, kind, lessons, taught: self.taught }
    }
}

/// Lets the games teach, in their order.
pub(super) fn teach(
    context: &Context,
    (spool, read): (Spool, &mut Read),
    book: LearningBook,
    search: Option<Family>,
    old: Option<&ExperienceFile>,
) -> Result<GameLessons> {
    let mut known: HashSet<u64> = seen_before(old)?.into_iter().collect();
    let mut lessons = GameLessons { book, gathered: BTreeMap::new(), seen: Vec::new() };
    let mut teaching = Teaching::begin(context, spool.entries());
    spool.for_each(|mut entry| {
        teaching.step()?;
        let game = SpooledGame::read(&mut entry);
        let input = read.counts.of(game.place.input);
        if known.contains(&game.identity) {
            input.idle("duplicate");
        } else if lessons.game(&game, search) {
            known.insert(game.identity);
            let SpooledGame { identity, place, date, .. } = game;
            lessons.seen.push(SeenRecord { identity, source: place.input, date });
            input.accept();
        } else {
            input.idle("no-book-move");
        }
        Ok(())
    })?;
    lessons.seen.sort_unstable();
    Ok(lessons)
}

impl GameLessons {
    /// Lets a game teach; whether it taught anything: it must have begun in the book.
    fn game(&mut self, game: &SpooledGame, search: Option<Family>) -> bool {
        let in_book: Vec<bool> = std::iter::repeat_n(true, game.pad)
            .chain(game.plies.iter().map(|&(key, mv)| self.book.edge(key, mv).is_some()))
            .collect();
        if !in_book[game.pad..].iter().any(|&book| book) {
            return false;
        }
        let mut result = Experience::default();
        games::add_result(&mut result, game.own, game.outcome);
        for ply in games::book_plies(game.own, &in_book) {
            self.gather(game, ply, ExperienceKind::Book, result, &[Lesson::Own]);
        }
        for ply in games::post_book_plies(game.own, &in_book) {
            let Searched { pawns, depth } = game.search(ply);
            let found = Experience { eval: pawns, depth, ..result };
            self.gather(game, ply, ExperienceKind::Postbook, found, &[Lesson::Own, Lesson::Search]);
        }
        if let Some(family) = search {
            let origin = Origin { source: game.place.input, date: game.date };
            // Fewer than two searches, or no branch: then the searches teach nothing, and the
            // results do all the same.
            let _ = searched(game, &in_book).teach(&mut self.book, family, &game.plies, origin);
        }
        true
    }

    /// A move that a game repeats is one game's all the same: only the first time counts.
    fn gather(
        &mut self,
        game: &SpooledGame,
        ply: usize,
        kind: ExperienceKind,
        more: Experience,
        lessons: &[Lesson],
    ) {
        let Some(at) = ply.checked_sub(game.pad) else { return };
        let Some(&(key, mv)) = game.plies.get(at).filter(|played| !game.plies[..at].contains(played)) else {
            return;
        };
        let taught =
            |&lesson: &Lesson| Taught { source: game.place.input, lesson, count: 1, last: game.date };
        let says =
            |lesson: &&Lesson| **lesson != Lesson::Search || more.eval.is_some() || more.depth.is_some();
        let taught: Vec<_> = lessons.iter().filter(says).map(taught).collect();
        self.gathered.entry((key, mv, kind)).or_default().add(&more, &taught);
    }
}

/// The engine's searches of its first moves out of book, as Crafty keeps them: a book move starts them anew.
fn searched(game: &SpooledGame, in_book: &[bool]) -> LiveGame {
    let mut live = LiveGame::new(game.own, game.rating_difference);
    let first = game.own.fold_wb(0, 1);
    for (ply, &book) in in_book.iter().enumerate() {
        if book && ply >= game.pad {
            live.searches.restart();
        } else if ply % 2 == first
            && let Searched { pawns: Some(pawns), depth } = game.search(ply)
        {
            live.searches.push((pawns * 100.0).round() as i32, i32::from(depth.unwrap_or(0)));
        }
        if live.searches.is_full() {
            break;
        }
    }
    live
}
