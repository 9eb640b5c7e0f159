//! Replays one record after another.

use nohash_hasher::IntSet;
use shakmaty::Color;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{
    Effect, Family, LearningBook, LessonLimits, Nothing, Origin, Record, Rejection, identity, is_crafty,
    replay::{LOST, Scratch},
};
use crate::Error;

/// How records are interpreted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Options {
    /// The family to assume for records whose player tags do not determine the family.
    pub family: Option<Family>,
    /// The name of the player who wrote the records, compared without regard to case. Without this name, the
    /// writer of a record is unknown if both players are Crafty or neither is. The name also helps if
    /// `family` is `None` and the player tags of a record do not determine the family: the record is then
    /// assumed to belong to the same family as the latest record whose tags determine one, provided that both
    /// records are from the same source.
    pub own_player: Option<String>,
    /// Whether to learn from a record only once, no matter how many copies of it there are.
    pub dedup: bool,
    /// How to learn from records of lost games.
    pub result_records: ResultRecords,
}

/// How to learn from records of lost games. A record of a lost game has the value ±`RESULT_VALUE`; not all
/// families write such records.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantArray)]
#[strum(parse_err_fn = unknown_result_records, parse_err_ty = Error, serialize_all = "lowercase")]
pub enum ResultRecords {
    /// The lesson for the loser's last choice is −999 pawns, as in Crafty. The move is not played again.
    #[default]
    Learn,
    /// The lesson for the loser's last choice is −3.00 pawns, which is the value of a loss in Crafty 18.2 and
    /// later. Later lessons can make up for this lesson.
    Soften,
    /// The record is ignored.
    Skip,
}

/// The lesson for the loser's last choice, in pawns, if [`ResultRecords::Soften`] is set.
const SOFTENED: f32 = -3.0;

impl ResultRecords {
    /// All settings.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The lesson for the loser's last choice, in pawns; `None` if there is none.
    pub(super) fn lesson(self) -> Option<f32> {
        match self {
            Self::Learn => Some(LOST),
            Self::Soften => Some(SOFTENED),
            Self::Skip => None,
        }
    }
}

fn unknown_result_records(name: &str) -> Error {
    Error::UnknownResultRecords(name.to_owned())
}

/// By default, the family is taken from the tags, and copies of records are ignored.
impl Default for Options {
    fn default() -> Self {
        Self { family: None, own_player: None, dedup: true, result_records: ResultRecords::default() }
    }
}

/// Replays records over a book, one after another. Averages depend on the order of the records, so all
/// records must go through the same learner.
///
/// # Memory
///
/// The learner holds the book and an identity for each replayed record. Identities take ten to twenty bytes
/// each, and half as much again while the set grows.
#[derive(Clone, Debug)]
pub struct Learner {
    book: LearningBook,
    options: Options,
    /// The identities of all records that were replayed here, or that the book had already learned from. They
    /// are hashes, so they need not be hashed again.
    replayed: IntSet<u64>,
    doubtful: u64,
    scratch: Scratch,
    /// The source and the family of the latest record whose player tags determine the family.
    last: Option<(u32, Family)>,
}

impl Learner {
    /// Creates a learner that has not replayed anything yet.
    #[must_use]
    pub fn new(book: LearningBook, options: Options) -> Self {
        let limits = LessonLimits { result_records: options.result_records, ..book.limits };
        Self {
            book: book.limited(limits),
            options,
            replayed: IntSet::default(),
            doubtful: 0,
            last: None,
            scratch: Scratch::default(),
        }
    }

    /// Adds the identities of records that the book has already learned from; see [`identity`].
    pub fn already_seen(&mut self, identities: impl IntoIterator<Item = u64>) {
        self.replayed.extend(identities);
    }

    /// Replays one record.
    pub fn learn(&mut self, record: &Record<'_>, origin: Origin) -> Effect {
        match self.understand(record, origin.source) {
            Ok((family, white_view)) => self.replay(record, family, white_view, origin),
            Err(rejection) => Effect::Rejected(rejection),
        }
    }

    fn replay(&mut self, record: &Record<'_>, family: Family, white_view: i64, origin: Origin) -> Effect {
        if !self.replayed.insert(identity(record)) && self.options.dedup {
            return Effect::Nothing(Nothing::Duplicate);
        }
        match self.book.teach_with(&mut self.scratch, family, record.plies, white_view, origin) {
            Ok(lesson) => {
                self.doubtful += u64::from(lesson.family.is_doubtful());
                Effect::Learned(lesson)
            }
            Err(nothing) => Effect::Nothing(nothing),
        }
    }

    /// Determines the family of the version of Crafty that wrote a record, and converts the record's value to
    /// White's point of view.
    fn understand(&mut self, record: &Record<'_>, source: u32) -> Result<(Family, i64), Rejection> {
        let own = self.own_side(record);
        let tagged = tagged(record, own);
        self.last = tagged.map(|family| (source, family)).or(self.last);
        let family = tagged.or(self.options.family).or_else(|| self.family_of_last(own, source));
        let family = family.ok_or_else(|| {
            let no_crafty = own.is_none() && !is_crafty(record.white) && !is_crafty(record.black);
            if no_crafty { Rejection::UnknownOwnSide } else { Rejection::UnknownFamily }
        })?;
        if !family.can_export(record.value) {
            return Err(Rejection::ValueOutOfRange);
        }
        if !family.is_own_view() {
            return Ok((family, record.value));
        }
        match own.ok_or(Rejection::UnknownOwnSide)? {
            Color::White => Ok((family, record.value)),
            Color::Black => Ok((family, record.value.saturating_neg())),
        }
    }

    /// The family of the latest record whose player tags determine the family. `None` if that record is not
    /// from `source`, if the options do not name the own player, or if it is unknown who wrote the current
    /// record.
    fn family_of_last(&self, own: Option<Color>, source: u32) -> Option<Family> {
        let named = own.is_some() && self.options.own_player.is_some();
        self.last.filter(|&(of, _)| named && of == source).map(|(_, family)| family)
    }

    /// The side that wrote a record. If the own player's name is given and matches exactly one player, this
    /// is that player's side. Otherwise, it is the side that Crafty played, or `None` if Crafty played both
    /// sides or neither.
    fn own_side(&self, record: &Record<'_>) -> Option<Color> {
        let named = self.options.own_player.as_deref();
        let is_own = |player: &str| named.is_some_and(|name| name.eq_ignore_ascii_case(player.trim()));
        only_one(is_own(record.white), is_own(record.black))
            .or_else(|| only_one(is_crafty(record.white), is_crafty(record.black)))
    }

    /// The book so far.
    pub fn book(&self) -> &LearningBook {
        &self.book
    }

    /// The number of records from which something was learned although their signs are unreliable (18.2).
    #[must_use]
    pub fn doubtful(&self) -> u64 {
        self.doubtful
    }
}

fn only_one(white: bool, black: bool) -> Option<Color> {
    (white != black).then(|| Color::from_white(white))
}

/// The family of the version in the writer's name. If the writer is unknown, considers the versions in both
/// players' names; returns `None` if the two versions belong to different families.
fn tagged(record: &Record<'_>, own: Option<Color>) -> Option<Family> {
    let (white, black) = (Family::of_player(record.white), Family::of_player(record.black));
    match own {
        Some(Color::White) => white,
        Some(Color::Black) => black,
        None if white.is_some() && black.is_some() && white != black => None,
        None => white.or(black),
    }
}
