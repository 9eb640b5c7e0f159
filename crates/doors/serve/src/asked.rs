//! Reads the fields of a request, and the position that they specify.

use axum::{
    extract::Query,
    http::{StatusCode, Uri},
};
use position::named_move;
use query::Opening;
use shakmaty::{
    CastlingMode, Chess, FromSetup as _, Move, Position as _, PositionError, fen::Fen, san::SanPlus,
};

use crate::answer::Refusal;

/// The maximum length of a request's path and query together, in bytes.
const URI_BYTES_MAX: usize = 8 << 10;

/// The fields of a query, in order.
pub(crate) struct QueryFields(Vec<(String, String)>);

impl QueryFields {
    /// Reads the query part of a URI. A request to Lichess's old path for the history is read as if it had
    /// the field `history`.
    pub(crate) fn read(uri: &Uri) -> Result<Self, Refusal> {
        if uri.path_and_query().is_some_and(|text| text.as_str().len() > URI_BYTES_MAX) {
            let why = format!("the path and query are longer than {URI_BYTES_MAX} bytes");
            return Err(Refusal::new(StatusCode::URI_TOO_LONG, why));
        }
        let fields = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(mut fields) = fields.map_err(|error| Refusal::bad(error.to_string()))?;
        if uri.path().ends_with("/lichess/history") {
            fields.insert(0, ("history".into(), "true".into()));
        }
        Ok(Self(fields))
    }

    /// All non-empty values of a field. `speeds[]` counts as `speeds`, because lila used to write it that
    /// way.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let is_it = move |known: &str| known.strip_suffix("[]").unwrap_or(known) == name;
        self.0
            .iter()
            .filter(move |(known, text)| is_it(known) && !text.is_empty())
            .map(|(_, text)| text.as_str())
    }

    /// The value of a field; `None` if it is empty or missing.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The items of a field, which are separated by commas; `None` if the field is missing.
    pub(crate) fn list(&self, name: &str) -> Option<Vec<&str>> {
        let items = self.all(name).flat_map(|text| text.split(',')).map(str::trim);
        let items: Vec<_> = items.filter(|item| !item.is_empty()).collect();
        (!items.is_empty()).then_some(items)
    }

    /// Whether a field is `true`, ignoring case because Python programs write `True`.
    pub(crate) fn is_true(&self, name: &str) -> Result<bool, Refusal> {
        let Some(text) = self.text(name) else { return Ok(false) };
        match text.to_ascii_lowercase().as_str() {
            "false" | "0" => Ok(false),
            "true" | "1" => Ok(true),
            _ => Err(Refusal::bad(format!("{name}: expected true or false, not `{text}`"))),
        }
    }

    /// Parses a field as a number.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<Option<N>, Refusal> {
        let read = |text: &str| {
            text.parse()
                .map_err(|_| Refusal::bad(format!("{name}: `{text}` is not a number, or is out of range")))
        };
        self.text(name).map(read).transpose()
    }

    /// The position in each `fen` field.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Result<Chess, Refusal>> {
        self.all("fen").map(from_fen)
    }

    /// The position specified by `fen` and `play`.
    pub(crate) fn place(&self) -> Result<Place, Refusal> {
        let start = self.text("fen").map_or_else(|| Ok(Chess::default()), from_fen)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        let mut name = Opening::of(&start);
        for text in self.list("play").unwrap_or_default() {
            let m = named_move(&position, text).map_err(|error| Refusal::bad(error.to_string()))?;
            position.play_unchecked(m);
            name = Opening::of(&position).or(name);
            moves.push(m);
        }
        Ok(Place { start, moves, position, name })
    }
}

/// A position, and the moves that led there.
pub(crate) struct Place {
    /// Where the moves begin.
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    pub(crate) position: Chess,
    /// The name of the last opening that the moves pass through.
    pub(crate) name: Option<Opening>,
}

impl Place {
    /// The moves in SAN, with their numbers.
    pub(crate) fn line(&self) -> String {
        let mut position = self.start.clone();
        let san = |&m: &Move| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        let sans: Vec<_> = self.moves.iter().map(san).collect();
        query::numbered(&self.start, &sans)
    }
}

/// Reads a FEN, an EPD or an X-FEN. Impossible castling rights and en passant squares are dropped, as on
/// Lichess.
fn from_fen(text: &str) -> Result<Chess, Refusal> {
    let wrong = |why: String| Refusal::bad(format!("fen: {why}"));
    let fen: Fen = text.trim().parse().map_err(|error| wrong(format!("{error}")))?;
    Chess::from_setup(fen.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use position::Key;

    use super::*;

    fn place(query: &str) -> Result<Place, Refusal> {
        QueryFields::read(&format!("/lichess?{query}").parse().unwrap()).and_then(|asked| asked.place())
    }

    #[test]
    fn positions_are_named_by_fen_and_play() {
        let key = |query: &str| {
            Key::of(&place(query).unwrap_or_else(|why| panic!("{query}: {}", why.why)).position)
        };
        let e4 = Key(0x823c_9b50_fd11_4196);
        assert_eq!(key(""), Key::START);
        assert_eq!(key("play=e2e4"), e4);
        assert_eq!(key("fen=&play=e4"), e4);
        assert_eq!(key("fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-"), e4, "EPD");
        assert_eq!(key("fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR+b+HAha+e3+0+1"), e4, "X-FEN");
        let castled = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,";
        assert_eq!(key(&format!("play={castled}e1g1")), key(&format!("play={castled}e1h1")));
        for wrong in ["play=e2e5", "fen=rubbish", "fen=8/8/8/8/8/8/8/8%20w%20-%20-", "play=e2e4,,e9"] {
            assert_eq!(place(wrong).err().unwrap().status, StatusCode::BAD_REQUEST, "{wrong}");
        }
        let long = format!("play={}", "e2e4,".repeat(2000));
        assert_eq!(place(&long).err().unwrap().status, StatusCode::URI_TOO_LONG);
    }

    #[test]
    fn lines_have_numbers_and_the_last_name() {
        let place = place("play=e2e4,c7c5,a2a3,h7h6").unwrap();
        assert_eq!(place.line(), "1. e4 c5 2. a3 h6");
        assert!(serde_json::to_string(&place.name).unwrap().contains("Sicilian Defense"));
    }
}
