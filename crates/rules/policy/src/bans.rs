//! Bans: moves that no policy ever plays. A policy's rule never sees banned moves among its candidates.

use position::{Ban, Experience};

use crate::{Candidate, Judgement, MoveJudgement, Parameter, ParameterKind, Reason, Situation};

/// The setting that makes a policy honour bans; every policy has it.
pub(crate) const HONOUR_BANS: Parameter = Parameter::new("honour-bans", ParameterKind::Switch)
    .by_default("true", "")
    .means("never play a move of value 0, priority 0, ? or ??, or learned at -0.80 or below");

/// The setting of policies that have their own threshold for learned values.
pub(crate) const BAD_THRESHOLD: Parameter =
    Parameter::new("bad-threshold", ParameterKind::Decimal(-1000.0, 0.0))
        .by_default("-0.8", "pawns")
        .means("a move with a learned value at or below this is not playable")
        .source("Crafty: unplayable moves; LEARN_COUNTER_BAD");

/// Which bans a policy honours.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Bans {
    None,
    /// All bans except those based on learned values, for which the policy has its own threshold.
    ByHand,
    All,
}

impl Bans {
    /// Passes the moves that are not banned to `judge`, then adds the banned ones to its judgement as
    /// excluded moves.
    pub(crate) fn judge(
        self,
        situation: &Situation<'_>,
        judge: impl Fn(&Situation<'_>) -> Judgement,
    ) -> Judgement {
        let mut banned = Vec::new();
        for candidate in situation.candidates.iter().filter(|candidate| !candidate.mv.is_terminal()) {
            if let Some(ban) = self.of(candidate) {
                banned
                    .push(MoveJudgement { excluded: Some(reason(ban)), ..MoveJudgement::new(candidate.mv) });
            }
        }
        if banned.is_empty() {
            return judge(situation);
        }
        let allowed = situation.candidates.iter().filter(|candidate| self.of(candidate).is_none());
        let allowed: Vec<_> = allowed.copied().collect();
        let mut judgement = judge(&Situation { candidates: &allowed, ..*situation });
        judgement.moves.extend(banned);
        judgement.moves.sort_by_key(|judged| judged.mv);
        judgement
    }

    /// The first ban on the move that the policy honours; `None` if there is none.
    fn of(self, candidate: &Candidate) -> Option<Ban> {
        let known = [Some(candidate.experience), candidate.postbook];
        let mut bans = known.iter().flatten().flat_map(Experience::bans);
        bans.find(|&ban| match self {
            Self::None => false,
            Self::ByHand => ban != Ban::Learned,
            Self::All => true,
        })
    }
}

const fn reason(ban: Ban) -> Reason {
    let (rule, source) = match ban {
        Ban::Value => ("set to 0: never played", "Terra: marks"),
        Ban::Priority => ("priority 0 is never played", "ChessPartner: priority"),
        Ban::Mark => ("marked ? or ??: never played", "Terra: marks"),
        Ban::Learned => ("learned at -0.80 or below: never played", "Crafty: unplayable moves"),
    };
    Reason { rule, source }
}
