//! The rule of Crafty 15.17 to 25.2, which mixes frequency, learned value and evaluation, excludes bad moves
//! and prefers good ones.
//!
//! # Flow (`Book()` in `book.c`)
//!
//! 1. Each book move has flags from its annotation, a learned value in centipawns, a count and an evaluation.
//! 2. A move gets `?` if its learned value is -0.80 or worse, if the mover never won with it, or if it was
//!    played less than a tenth as often as the most played one. It gets `!` if its learned value is +1.00 or
//!    better.
//! 3. The sort value combines the count, the learned value and the evaluation; bonuses for flags are added to
//!    it.
//! 4. `?` and `??` moves are deleted. Of the rest, all `!!` moves are accepted. If there are no `!!` moves,
//!    all `!` moves are accepted; if there are no `!` moves either, all `=` moves are accepted. Of the
//!    accepted moves, the best `book-width` are considered.
//! 5. One move is chosen at random; a move's chance is proportional to the square of its value.
//!
//! The CAP scores of versions 17 to 20 and the screening of moves by development are left out, because
//! experience contains no such data.

use super::flags::{self, BAD};
use super::settings::{MixtureSettings, PARAMETERS};
use super::sort_value::{self, BookMove};
use super::version::Rules;
use super::{centipawns, eval_centipawns, pool, screening};
use crate::{Candidate, Evidence, PolicySpec, Rule, Sheet};

pub(crate) const SPEC: PolicySpec = PolicySpec {
    name: "crafty",
    summary: "frequency, learned value and evaluation mixed; bad moves out, good ones preferred",
    source: "Crafty: section 6.3; Crafty 15.17-25.2, Book()",
    evidence: &[Evidence::Games, Evidence::Weights, Evidence::Experience],
    parameters: PARAMETERS,
    build: |settings| Box::new(Mixture(MixtureSettings::new(settings))),
};

#[derive(Debug)]
struct Mixture(MixtureSettings);

impl Mixture {
    /// Returns the moves that are not excluded, each with the values that Crafty would read for this move.
    fn read(&self, sheet: &Sheet<'_>) -> Vec<BookMove> {
        let judged = sheet.candidates.iter().zip(&sheet.moves).enumerate();
        let open = judged.filter(|(_, (_, judged))| judged.excluded.is_none());
        open.map(|(at, (candidate, _))| {
            let experience = &candidate.experience;
            let set_value = self.set_value(candidate);
            BookMove {
                at,
                played: candidate.played(),
                learned_centipawns: centipawns(experience.learn),
                eval_centipawns: eval_centipawns(experience),
                percent: set_value.unwrap_or(0),
                flags: flags::of_annotation(candidate) | if set_value == Some(0) { BAD } else { 0 },
                value: 0.0,
                parts: [0.0; 3],
            }
        })
        .collect()
    }

    /// The play percentage set by hand; 0 forbids the move. If the move also has an annotation, the value set
    /// by hand is ignored and the annotation counts as a flag.
    fn set_value(&self, candidate: &Candidate) -> Option<u8> {
        let counts = self.0.play_percent && candidate.experience.nag.is_none();
        candidate.experience.user_value.filter(|_| counts).map(|value| value.min(100))
    }

    /// The highest count among the moves. From 18.10 on, moves annotated `?` are disregarded.
    fn most_played(&self, moves: &[BookMove]) -> u128 {
        let counted = moves.iter().filter(|one| !self.0.flags_first() || one.flags & BAD == 0);
        counted.map(|one| one.played).max().unwrap_or(0)
    }

    /// Sets the flags and the sort values of the moves. The version of Crafty determines whether the flags or
    /// the sort values are set first.
    fn flag_and_value(&self, sheet: &mut Sheet<'_>, moves: &mut [BookMove]) {
        let settings = &self.0;
        let most = self.most_played(moves);
        if settings.flags_first() {
            screening::flag(sheet, moves, most, settings);
            sort_value::assign(moves, most, settings.weights, settings.version);
        } else {
            sort_value::assign(moves, most, settings.weights, settings.version);
            screening::flag(sheet, moves, most, settings);
        }
        sort_value::add_bonuses(moves, settings.version);
        if settings.version.rules >= Rules::PercentAlone {
            screening::keep_percents_alone(sheet, moves);
        }
    }
}

impl Rule for Mixture {
    fn reads_searches(&self) -> bool {
        true
    }

    fn decided(&self, setting: &str) -> Option<String> {
        self.0.weight(setting).map(|weight| weight.to_string())
    }

    fn weigh(&self, sheet: &mut Sheet<'_>) {
        sheet.exclude_outside_book();
        let mut moves = self.read(sheet);
        self.flag_and_value(sheet, &mut moves);
        for one in &moves {
            sheet.moves[one.at].scores = one.all_scores();
        }
        moves.retain(|one| sheet.moves[one.at].excluded.is_none());
        // A stable sort leaves equal moves in order, as Crafty's bubble sort does.
        moves.sort_by(|a, b| b.percent.cmp(&a.percent).then(b.value.total_cmp(&a.value)));
        let mut pool = pool::take(sheet, moves, self.0.width, self.0.version);
        pool::apply_percents(&mut pool.moves);
        if self.0.random {
            pool::draw(sheet, &pool);
        } else {
            pool::choose_by_eval(sheet, &pool);
        }
    }
}
