//! Answers in the form of Lichess's opening explorer.
//!
//! The names and order of fields, and how requests are answered, follow lichess-org/api (schemas
//! `OpeningExplorerLichess`, `…Masters` and `…Player`) and the answers of lila-openingexplorer.

use axum::{
    http::{HeaderName, HeaderValue, StatusCode},
    response::Response,
};
use position::{Key, Tally, position_after};
use query::{Example, GamesFilter, KeyMove, MonthResults, Opening, PlayedGame, PositionExamples, View};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::{
    Database,
    answer::{Refusal, json_of, lines},
    artefacts::OpenArtefact,
    asked::{Place, QueryFields},
    filters::{Filters, Reading},
    question::QuestionContext,
};

/// The response header that lists the ignored filters.
pub(crate) const IGNORED: HeaderName = HeaderName::from_static("tabia-ignored");
/// The number of moves that are listed, unless the request asks for a different number.
const MOVES: usize = 12;
/// Names of variants that follow the rules of chess.
const VARIANTS: [&str; 4] = ["standard", "chess", "chess960", "fromPosition"];

/// An answer.
#[derive(Serialize)]
struct Answer {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<Move>,
    #[serde(rename = "recentGames", skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<PlayedGame>>,
    #[serde(rename = "topGames", skip_serializing_if = "Option::is_none")]
    top_games: Option<Vec<PlayedGame>>,
    opening: Option<Opening>,
    #[serde(rename = "queuePosition", skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<MonthResults>>,
}

/// A move.
#[derive(Serialize)]
struct Move {
    /// The move in UCI notation, with castling written as the king taking the rook.
    uci: String,
    san: String,
    #[serde(rename = "averageRating", skip_serializing_if = "Option::is_none")]
    average_rating: Option<u32>,
    #[serde(rename = "averageOpponentRating", skip_serializing_if = "Option::is_none")]
    average_opponent_rating: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<u32>,
    white: u64,
    draws: u64,
    black: u64,
    game: Option<PlayedGame>,
    opening: Option<Opening>,
}

/// The games in an answer, without duplicates.
#[derive(Default)]
struct Games<'a> {
    top: Vec<Example>,
    recent: Vec<Example>,
    /// Example games for the position's moves; `None` if the artefact has none, or none are wanted.
    examples: Option<PositionExamples<'a>>,
}

impl Games<'_> {
    /// The game in which the move was played, if there is only one.
    fn only_game(&self, counted: &KeyMove) -> query::Result<Option<PlayedGame>> {
        let is_only = counted.tally.is_some_and(|tally| tally.games() == 1);
        let Some(examples) = self.examples.as_ref().filter(|_| is_only) else { return Ok(None) };
        examples.shown(examples.of_move(counted.mv)).next().transpose()
    }
}

impl Database {
    /// Answers a request.
    pub(crate) fn answer(self, context: &QuestionContext<'_>) -> Result<Response, Refusal> {
        let QuestionContext { opened, asked, .. } = *context;
        if let Some(variant) = asked.text("variant").filter(|variant| !VARIANTS.contains(variant)) {
            return Err(Refusal::bad(format!(
                "variant: `{variant}` is not counted here, only standard chess"
            )));
        }
        if let Some(why) = self.objection(opened) {
            return Err(Refusal::bad(why));
        }
        let place = asked.place()?;
        let reading =
            Reading { counted: &opened.counted, as_lichess: true, strict: context.shared.strict_filters };
        let mut filters = match self {
            Self::Player => reading.player_filters(asked)?,
            Self::Lichess | Self::Masters => reading.filters(asked)?,
        };
        context.shared.warn_of(opened, &filters);
        if asked.is_true("history")? && !opened.counted.by.month {
            filters.ignored.push("history");
        }
        let answer = self.found(opened, &place, asked, &filters)?;
        let mut response = match self {
            Self::Player => lines(&answer),
            Self::Lichess | Self::Masters => json_of(StatusCode::OK, &answer),
        };
        if !filters.ignored.is_empty()
            && let Ok(names) = HeaderValue::from_str(&filters.ignored.join(", "))
        {
            response.headers_mut().insert(IGNORED, names);
        }
        Ok(response)
    }

    fn found(
        self,
        opened: &OpenArtefact,
        place: &Place,
        asked: &QueryFields,
        filters: &Filters,
    ) -> Result<Answer, Refusal> {
        let view = View::of(&opened.artefact).only(&filters.games);
        let key = Key::of(&place.position);
        let refused = |error| Refusal::of(&error, &[opened]);
        let mut counted = view.probe_key(key).map_err(refused)?.map_or(Vec::new(), |found| found.moves);
        if filters.games.player_color.is_some_and(|color| color != place.position.turn()) {
            counted.iter_mut().for_each(as_opponents);
        }
        let sum: Tally = counted.iter().filter_map(|counted| counted.tally).sum();
        let moves_max = asked.number("moves")?.unwrap_or(MOVES);
        let games = self.games(opened, &place.position, asked, &filters.games)?;
        let moves =
            counted.iter().filter_map(|counted| Some((counted, self.shown(counted, &place.position)?)));
        let with_game = |(counted, shown)| Ok(Move { game: games.only_game(counted)?, ..shown });
        let moves = moves.take(moves_max).map(with_game).collect::<Result<_, _>>().map_err(refused)?;
        let read = |listed: Vec<Example>| -> query::Result<Vec<PlayedGame>> {
            games.examples.iter().flat_map(|examples| examples.shown(listed.iter().copied())).collect()
        };
        let [recent, top] = [games.recent, games.top].map(|listed| read(listed).map_err(refused));
        let wants_history = asked.is_true("history")? && opened.counted.by.month;
        Ok(Answer {
            white: sum.white,
            draws: sum.draws,
            black: sum.black,
            moves,
            recent_games: (self != Self::Masters).then_some(recent?),
            top_games: (self != Self::Player).then_some(top?),
            opening: place.name,
            queue_position: (self == Self::Player).then_some(0),
            history: wants_history.then(|| view.months_of_all_moves(key)).transpose().map_err(refused)?,
        })
    }

    /// The games of a position: as many as the request asks for, or as many as Lichess lists by default.
    fn games<'a>(
        self,
        opened: &'a OpenArtefact,
        position: &'a Chess,
        asked: &QueryFields,
        admitted: &GamesFilter,
    ) -> Result<Games<'a>, Refusal> {
        let [top_max, all_max] = match self {
            Self::Lichess => [4, 8],
            Self::Masters => [15, 15],
            Self::Player => [0, 8],
        };
        let [top, recent] = [asked.number("topGames")?, asked.number("recentGames")?];
        // Lichess's own programs set `topGames` and `recentGames` to 0 when they want no games at all, not
        // even for moves played only once.
        if self == Self::Lichess && [top, recent] == [Some(0); 2] {
            return Ok(Games::default());
        }
        let examples = PositionExamples::of(&opened.artefact, position, admitted);
        let Some(examples) = examples.map_err(|error| Refusal::of(&error, &[opened]))? else {
            return Ok(Games::default());
        };
        let mut best = examples.best_rated(top_max);
        let newest = examples.newest((all_max - best.len()).min(recent.unwrap_or(all_max)), &best);
        best.truncate(top.unwrap_or(top_max));
        Ok(Games { top: best, recent: newest, examples: Some(examples) })
    }

    /// A move in the form in which the answer lists it; `None` if the move is not legal in `position`.
    fn shown(self, counted: &KeyMove, position: &Chess) -> Option<Move> {
        let (m, san) = counted.mv.unpack_with_san(position)?;
        let after = position_after(position, m);
        let tally = counted.tally.unwrap_or_default();
        let is_player = self == Self::Player;
        Some(Move {
            uci: m.to_uci(CastlingMode::Chess960).to_string(),
            san: san.to_string(),
            average_rating: (!is_player).then(|| rounded(counted.average_elo)),
            average_opponent_rating: is_player.then(|| rounded(counted.opponent_elo)),
            performance: is_player.then(|| rounded(counted.performance)),
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            game: None,
            opening: Opening::of(&after),
        })
    }
}

/// Converts the ratings of an opponent's move to the player's point of view. The two mean ratings are
/// swapped. If the opponents' performance is x points above the player's mean rating, the player's
/// performance is x points below the opponents' mean rating.
fn as_opponents(counted: &mut KeyMove) {
    let margin = counted.performance.zip(counted.opponent_elo).map(|(performance, mean)| performance - mean);
    counted.performance = counted.average_elo.zip(margin).map(|(mean, margin)| mean - margin);
    std::mem::swap(&mut counted.average_elo, &mut counted.opponent_elo);
}

/// A rating as Lichess writes it: rounded, and 0 if it is not known.
#[expect(clippy::cast_sign_loss, reason = "ratings are positive, and a float's cast stops at its bounds")]
fn rounded(rating: Option<f64>) -> u32 {
    rating.map_or(0, |rating| rating.round() as u32)
}
