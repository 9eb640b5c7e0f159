//! `learn-games` learns from an engine's own games: from the results of the book moves that it chose, from
//! the first moves it played after leaving the book, and from the evaluations of its searches.
//!
//! # Flow
//!
//! 1. Games are read once. Games from which something may be learned are stored in a
//!    [`Spool`](games::spool::Spool), in input order ([`waiting`]).
//! 2. One pass over the shards finds the book moves of the positions in the games ([`book_moves`]).
//! 3. Values are learned from the stored games, one after another ([`GameLessons`]), because averaging
//!    depends on the order.
//! 4. The lessons are added to the older experience.
//!
//! # Memory
//!
//! Beyond a few megabytes, the spool keeps its entries in a temporary file. Memory holds eight bytes for each
//! position in the games, about thirty for each book move in these positions, and eight for each game from
//! which something was learned.

mod waiting;

use std::path::{Path, PathBuf};

use clap::Args;
use count::{KeptMoves, WeightedCounts, book_moves};
use experience::{Base, ExperienceFile, identities_seen};
use games::{driver::Read, spool::Spool};
use learn::{
    crafty::{Family, Rule},
    search::Trust,
};
use lessons::{GameLessons, GameRule, GameRules, OpponentWeight, PlayedGame};
use pgn::annotated::Form;
use run::{
    Context, FileFormat, Output, Result, SettingError,
    values::{as_text, defaults},
};
use serde::{Deserialize, Serialize};
use stage::{
    EachGame, Flow, FlowFile, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_player,
    check_whole_games,
};

use self::waiting::CollectedGames;
use super::{banned, learn_crafty::Teaching};

/// Settings of `learn-games`. A setting of `replay` names the player whose games are used.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct LearnGames {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: Option<PathBuf>,
    /// Which games count towards the results of the moves that the player chose: lokasoft (losses, wins after
    /// more than 50 moves, and games between players with close ratings), terra (all games) or crafty (no
    /// games). With crafty, the last choice in a lost game is not played again
    #[arg(long, value_name = "lokasoft|terra|crafty", default_value_t)]
    #[serde(with = "as_text")]
    pub rule: GameRule,
    /// Also learn from the evaluations in comments, as Crafty learns from its searches; results are then
    /// learned by the rule crafty in addition to the given --rule
    #[arg(long)]
    pub search: bool,
    /// The family of Crafty versions whose rules turn searches and results into lessons: m, m2, m3, a, b, b1,
    /// c0, c1, c, c2
    #[arg(long, value_name = "FAMILY", default_value_t = Family::A)]
    #[serde(with = "as_text")]
    pub family: Family,
    /// Which evaluations are trusted: auto (only those that are bad for the engine, as in Crafty), always
    /// (all) or never (none); untrusted evaluations count less
    #[arg(long, value_name = "auto|always|never", default_value_t)]
    #[serde(with = "as_text")]
    pub trust: Trust,
    /// How many times to learn from each game against this opponent, 0 to 100 (for other opponents: once);
    /// NAME is a full name or a /regular expression/; if several names match an opponent, the first one
    /// applies
    #[arg(long, value_name = "NAME=WEIGHT")]
    pub opponent: Vec<OpponentWeight>,
    /// Continue from this experience file
    #[arg(id = "continue", long = "continue", value_name = "FILE", help_heading = "Outputs")]
    #[serde(rename = "continue")]
    pub old: Option<PathBuf>,
    /// Which moves the book keeps. Values are learned for these moves.
    #[command(flatten)]
    #[serde(flatten)]
    pub book: KeptMoves,
}

impl Default for LearnGames {
    /// Lokasoft's rule for games. If values are learned from searches, the rules in Crafty's paper apply.
    fn default() -> Self {
        defaults(&[])
    }
}

impl Stage for LearnGames {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations, Port::Table], Port::Experience, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        let rule = match self.rule {
            GameRule::Lokasoft => "Lokasoft's conditions",
            GameRule::Terra => "every game",
            GameRule::Crafty => "results as Crafty's",
        };
        let search = if self.search { ", searches too" } else { "" };
        format!("{rule}{search}{}", self.book.note())
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Experience.at(&self.output)
    }

    fn reads(&self) -> Vec<&Path> {
        self.old.as_deref().into_iter().collect()
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        self.output.as_deref().map_or(Ok(()), |output| SettingError::check_not_stdout("output", output))?;
        check_player(inputs)?;
        let learns = self.rule != GameRule::Crafty || self.family.rule() != Rule::Linear;
        let expected = "a family that learns from results (a or later, with the rule crafty)";
        SettingError::new("family", expected, self.family).unless(learns)?;
        self.book.check()?;
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let (stream, counts) = (inputs.take().observations()?, inputs.take().table()?);
        let counts = WeightedCounts::new(context, counts, self.book.weigh.weights())?;
        let old = self.old.as_deref().map(ExperienceFile::open).transpose()?;
        let filters = &stream.replay.options.filters;
        let waiting = CollectedGames::new(context, filters, self.rules());
        // Something can be learned from the searches in a game even if the game has no result.
        let form = if self.search { Form::Unfinished } else { Form::Finished };
        let (EachGame(mut waiting), mut read) = stream.drive_annotated(context, form, EachGame(waiting))?;
        context.summary().warnings.extend(waiting.warnings());
        let filter = self.book.filter();
        let (book, games) = book_moves(context, &counts, &filter, &waiting.take_keys(), old.as_ref())?;
        let mut lessons = GameLessons::new(book, self.rules());
        if let Some(old) = &old {
            lessons.already_seen(identities_seen(old)?);
        }
        teach(context, waiting.into_spool(), &mut lessons, &mut read)?;
        read.report_learning(context)?;
        banned::report(context, lessons.book(), &games);
        let base = Base {
            old: old.as_ref(),
            table: counts.counts().digest().map(ToOwned::to_owned),
            book: Some(counts.keeps(&filter)),
            sources: read.experience_sources("games"),
            positions: lessons.positions().clone(),
            ..Base::default()
        };
        FlowFile::of_changes(context, self.output.as_deref(), &base, lessons.into_changes())
    }
}

impl LearnGames {
    fn rules(&self) -> GameRules {
        let opponents = self.opponent.clone();
        GameRules { opponents, ..GameRules::new(self.rule, self.family, self.search, self.trust) }
    }
}

/// Learns from the games in order.
fn teach(context: &Context, mut spool: Spool, lessons: &mut GameLessons, read: &mut Read) -> Result<()> {
    let mut teaching = Teaching::begin(context, spool.entries);
    spool.for_each(|entry| {
        teaching.step()?;
        let sides: Vec<PlayedGame> = entry.read();
        let input = read.counts.of(sides[0].source);
        match lessons.teach_sides(&sides) {
            Ok(()) => input.accepted += 1,
            Err(why) => input.idle(why.name()),
        }
        Ok(())
    })
}
