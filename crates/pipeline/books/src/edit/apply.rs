//! Applies edits to a draft, one after the other.

use std::{cell::OnceCell, collections::HashSet, mem};

use position::{Key, PackedMove};
use run::{Result, RunOptions, Summary};
use shakmaty::{Chess, Color};

use super::{
    EditOptions,
    draft::{Draft, EditFault, EditResult},
    grammar::{Edit, Setting},
    reach::{Follow, reach},
    script::EditAt,
    way::{Ply, plies},
};

/// Applies edits to a draft, and counts the changes.
pub(super) struct Editor<'r, D> {
    draft: D,
    color: Option<Color>,
    run: &'r RunOptions,
    /// The side that has moves, if the other has none; computed once, before any move is dropped.
    only_side: OnceCell<Option<Color>>,
    dropped: PendingDrops,
    added_moves: u64,
    dropped_moves: u64,
    dropped_positions: u64,
    set_moves: u64,
    /// The number of edits that were skipped because they would have changed nothing; `None` if such an edit
    /// is refused.
    skipped: Option<u64>,
}

/// Dropped moves. The positions that could be reached only through these moves are kept in the draft at
/// first; later, a single walk removes all of them.
#[derive(Default)]
struct PendingDrops {
    moves: HashSet<(Key, PackedMove)>,
    /// For each dropped move, the first position of the line that ends with this move.
    starts: Vec<Chess>,
    /// The positions that the dropped moves led to.
    targets: Vec<Chess>,
}

impl PendingDrops {
    fn add(&mut self, first: &Ply, last: &Ply) {
        self.moves.insert((last.key, last.mv));
        self.starts.push(first.before.clone());
        self.targets.push(last.after.clone());
    }
}

impl<'r, D: Draft> Editor<'r, D> {
    pub(super) fn new(draft: D, options: &EditOptions, run: &'r RunOptions) -> Self {
        Self {
            draft,
            color: options.color,
            run,
            only_side: OnceCell::new(),
            dropped: PendingDrops::default(),
            added_moves: 0,
            dropped_moves: 0,
            dropped_positions: 0,
            set_moves: 0,
            skipped: options.skip_done.then_some(0),
        }
    }

    /// Applies the edits in order; returns those that changed something.
    pub(super) fn apply_all<'e>(&mut self, edits: &'e [EditAt]) -> Result<Vec<&'e EditAt>> {
        let mut done = Vec::new();
        for given in edits {
            match (self.apply(&given.edit), &mut self.skipped) {
                (Ok(()), _) => done.push(given),
                (Err(EditFault::Done(_)), Some(skipped)) => *skipped += 1,
                (Err(EditFault::Edit(why) | EditFault::Done(why)), _) => return Err(given.refused(why)),
                (Err(EditFault::NotAnEdit(why)), _) => return Err(given.misread(why)),
                (Err(EditFault::Run(error)), _) => return Err(error),
            }
        }
        self.take_what_hangs()?;
        Ok(done)
    }

    /// The draft and a summary of the edits.
    pub(super) fn finish(self) -> (D, Summary) {
        let mut summary = Summary::new();
        let counts = [
            ("moves added", self.added_moves),
            ("moves dropped", self.dropped_moves),
            ("positions dropped", self.dropped_positions),
            ("moves weighed or marked", self.set_moves),
        ];
        let skipped = self.skipped.map(|skipped| ("edits skipped, done before", skipped));
        let counts = counts.into_iter().chain(skipped);
        summary.edited = Some(counts.map(|(what, count)| (what.to_owned(), count)).collect());
        (self.draft, summary)
    }

    fn apply(&mut self, edit: &Edit) -> EditResult<()> {
        match edit {
            Edit::Drop { line } => {
                let line = self.plies(line)?;
                return self.drop_line(&line);
            }
            _ => self.take_what_hangs()?,
        }
        match edit {
            Edit::Add { line, setting } => {
                let line = self.all_plies(line)?;
                self.add(&line, *setting)
            }
            Edit::Set { line, setting } => {
                let line = self.plies(line)?;
                self.set(&line, *setting)
            }
            Edit::Drop { .. } => Ok(()),
            Edit::Prune => self.prune(),
            Edit::Rename(name) if self.draft.rename(name) => Ok(()),
            Edit::Rename(_) => Err(EditFault::Done("the book already has that name".into())),
        }
    }

    /// Returns the plies of a line. Also rewrites the draft's moves, at each position of the line, in the
    /// form that lines use.
    fn all_plies(&mut self, line: &str) -> EditResult<Vec<Ply>> {
        let plies = plies(line).map_err(EditFault::Edit)?;
        plies.iter().try_for_each(|ply| self.draft.normalize(ply))?;
        Ok(plies)
    }

    /// Returns the plies of a line; fails if only one side is edited and the line's last move is by the other
    /// side.
    fn plies(&mut self, line: &str) -> EditResult<Vec<Ply>> {
        let plies = self.all_plies(line)?;
        match (plies.last(), self.color) {
            (Some(last), Some(color)) if last.turn() != color => {
                let [turn, color] = [last.turn(), color].map(|color| color.fold_wb("White", "Black"));
                let san = &last.san;
                Err(EditFault::Edit(format!("{san} is a move by {turn}, but --color is {color}")))
            }
            _ => Ok(plies),
        }
    }

    fn only_side(&self) -> Result<Option<Color>> {
        if let Some(side) = self.only_side.get() {
            return Ok(*side);
        }
        let side = self.draft.only_side()?;
        Ok(*self.only_side.get_or_init(|| side))
    }

    fn has(&self, ply: &Ply) -> Result<bool> {
        Ok(self.draft.moves(ply.key)?.is_some_and(|moves| moves.contains(&ply.mv)))
    }

    /// Adds to the book those moves of a line that are not in the book yet. If only one side is edited, or
    /// only one side has moves in the book, the other side's moves are not added.
    fn add(&mut self, line: &[Ply], setting: Option<Setting>) -> EditResult<()> {
        let side = self.color.map_or_else(|| self.only_side(), |color| Ok(Some(color)))?;
        let is_wanted = |ply: &&Ply| side.is_none_or(|side| ply.turn() == side);
        let mut added = 0;
        for ply in line.iter().filter(is_wanted) {
            if !self.has(ply)? {
                self.draft.add(ply)?;
                added += 1;
            }
        }
        self.added_moves += added;
        let is_set = match (setting, line.iter().rfind(is_wanted)) {
            (Some(setting), Some(last)) if added > 0 || self.skipped.is_some() => {
                self.draft.set(last.key, last.mv, setting)?
            }
            _ => false,
        };
        if added > 0 {
            return Ok(());
        }
        if is_set {
            self.set_moves += 1;
            return Ok(());
        }
        let of_side = side.map_or("", |side| side.fold_wb(" of White", " of Black"));
        Err(EditFault::Done(format!("nothing to add: the book already has every move{of_side} in the line")))
    }

    fn set(&mut self, line: &[Ply], setting: Setting) -> EditResult<()> {
        let Some(last) = line.last() else { return Ok(()) };
        if !self.has(last)? {
            let san = &last.san;
            return Err(EditFault::Edit(format!("the book does not have {san} there: `add` the line first")));
        }
        if !self.draft.set(last.key, last.mv, setting)? {
            let san = &last.san;
            return Err(EditFault::Done(format!("nothing to change: {san} already has this value")));
        }
        self.set_moves += 1;
        Ok(())
    }

    /// Drops a line's last move. The positions that could be reached only through this move are usually
    /// removed later: before the next edit that is not a drop, or after the last edit. A single walk can then
    /// remove the positions for many dropped moves.
    fn drop_line(&mut self, line: &[Ply]) -> EditResult<()> {
        // If only one side has moves, that side must be determined before the move is dropped, because the
        // move may be the last one of that side.
        self.only_side()?;
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return Ok(()) };
        // The walk that removes positions keeps every position that can be reached from the first position of
        // a dropped line. A line that begins at a FEN therefore gets a walk of its own, after a walk for all
        // earlier drops. In a shared walk, positions that the earlier drops have cut off would be kept if the
        // position of the FEN leads to them.
        let begins_elsewhere = first.key != Key::START;
        let is_gone = line.iter().any(|ply| self.dropped.moves.contains(&(ply.key, ply.mv)));
        if begins_elsewhere || is_gone {
            self.take_what_hangs()?;
        }
        if self.has(last)? {
            self.draft.remove(last.key, last.mv)?;
            self.dropped_moves += 1;
            self.dropped.add(first, last);
            return if begins_elsewhere { Ok(self.take_what_hangs()?) } else { Ok(()) };
        }
        self.drop_reply(first, last)
    }

    /// Drops a reply by the side that has no moves in the book.
    fn drop_reply(&mut self, first: &Ply, last: &Ply) -> EditResult<()> {
        if !self.is_reply(last)? {
            let san = &last.san;
            return Err(EditFault::Done(format!("nothing to drop: the book does not have {san} there")));
        }
        self.dropped.add(first, last);
        self.take_what_hangs()?;
        if self.draft.moves(Key::of(&last.after))?.is_some() {
            let why = "nothing to drop: the book has no moves of that side, and other lines lead to the position \
                       after it";
            return Err(EditFault::Edit(why.into()));
        }
        Ok(())
    }

    /// Whether a move is played by the side that has no moves in the book, and leads to a position in the
    /// book.
    fn is_reply(&self, ply: &Ply) -> Result<bool> {
        Ok(self.only_side()? == Some(!ply.turn()) && self.draft.moves(Key::of(&ply.after))?.is_some())
    }

    /// Removes the positions that could be reached only through dropped moves.
    fn take_what_hangs(&mut self) -> Result<()> {
        if self.dropped.moves.is_empty() {
            return Ok(());
        }
        let only_side = self.only_side()?;
        let PendingDrops { moves, mut starts, targets } = mem::take(&mut self.dropped);
        starts.extend(self.draft.starts()?);
        let replies_of = only_side.map(|side| !side);
        let follow = Follow { replies_of, without: Some(&moves), ..Follow::default() };
        let positions = self.draft.index(self.run)?;
        let below = reach((&self.draft, &positions), targets, follow, self.run)?.opened;
        let stays = reach((&self.draft, &positions), starts, follow, self.run)?.opened;
        let hangs = |place: &usize| below[*place] && !stays[*place];
        (0..positions.len()).filter(hangs).try_for_each(|place| self.forget(positions.key(place)))
    }

    fn forget(&mut self, key: Key) -> Result<()> {
        if let Some(moves) = self.draft.moves(key)? {
            self.dropped_moves += moves.len() as u64;
            self.dropped_positions += 1;
            self.draft.forget(key)?;
        }
        Ok(())
    }

    /// Drops the positions that no line from the start position or from a root reaches.
    fn prune(&mut self) -> EditResult<()> {
        let positions = self.draft.index(self.run)?;
        let side = self.color.map_or_else(|| self.only_side(), |color| Ok(Some(color)))?;
        let follow = Follow { replies_of: side.map(|side| !side), forbids: self.color, ..Follow::default() };
        let reached = reach((&self.draft, &positions), self.draft.starts()?, follow, self.run)?;
        let before = (self.dropped_moves, self.dropped_positions);
        for place in (0..positions.len()).filter(|place| !reached.opened[*place]) {
            let key = positions.key(place);
            if reached.seen.contains(&key) { self.cut(key)? } else { self.forget(key)? }
        }
        if before == (self.dropped_moves, self.dropped_positions) {
            return Err(EditFault::Done("nothing to prune: every position is reached".into()));
        }
        Ok(())
    }

    /// Removes all moves at a position, but keeps the position itself, because a forbidden move leads to it.
    fn cut(&mut self, key: Key) -> Result<()> {
        for mv in self.draft.moves(key)?.unwrap_or_default() {
            self.draft.remove(key, mv)?;
            self.dropped_moves += 1;
        }
        Ok(())
    }
}
