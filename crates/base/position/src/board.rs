//! A board that plays SAN and keeps its key up to date. This is the hot path of every build.
//!
//! The board has bitboards for each colour and role, and a mailbox. Zobrist numbers are shakmaty's. A SAN is
//! resolved backwards, from its target square to the pieces that could move there. The move of such a
//! candidate is legal if it does not leave its own king attacked. Most candidates need no test, because only
//! two kinds of pieces can attack the king: those that may be giving check after the last move, which the
//! board records, and sliders in line with the king and the square that the candidate leaves. Rare cases
//! (castling, promotion, en passant, rights) are in cold functions; the rest is compiled once for each
//! colour. shakmaty is the reference: legality and keys must equal shakmaty's (see the tests and
//! `crates/fuzz`).

mod apply;
mod attacks;
mod geometry;
mod placed;
mod resolve;
mod rights;
mod san;
mod squares;
mod tables;
mod zobrist;

use std::fmt;

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Position as _,
    Rank, Role, Setup, Square,
    fen::Fen,
    san::{San, SanError},
};

use self::tables::Tables;
use crate::{
    Key, PackedMove, Step,
    placement::{legal_position, role_of},
    step::RIGHTS,
};

/// A played move in the form in which it is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ply {
    /// The move in Polyglot's sixteen bits.
    pub mv: PackedMove,
    /// The move's step. Together with the key before the move and `mv`, it determines the key after the move.
    pub step: Step,
}

/// The text is not the FEN of a legal position.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{why}", why = .0)]
pub struct FenError(String);

/// A position in a replay. It is cheap to copy, and playing a move allocates nothing.
///
/// White is 0 and Black is 1, as in [`Color::fold_wb`]. Roles are numbered as in [`Role`], from 1 for pawns
/// to 6 for kings, and squares from 0 for a1 to 63 for h8.
#[derive(Clone)]
#[must_use]
pub struct Board {
    /// The squares of pieces, indexed by colour and role. For each colour, entry 0 holds the squares of all
    /// its pieces.
    pieces: [[u64; 8]; 2],
    /// The number of the role on each square; 0 if the square is empty.
    mailbox: [u8; 64],
    turn: u8,
    /// Castling rights, one bit for each in the order of [`RIGHTS`].
    rights: u8,
    /// If a pawn has just moved two squares and is now beside a pawn of the side to move, its file, from 1 to
    /// 8; otherwise 0.
    en_passant: u8,
    /// Squares of enemy pieces that may be giving check. If the set is empty, the side to move is not in
    /// check.
    possible_checkers: u64,
    /// A move that starts or ends on one of these squares may change castling rights or the en passant file.
    sensitive: u64,
    key: u64,
    tables: &'static Tables,
}

impl Board {
    /// The start position.
    pub fn start() -> Self {
        Self::at(&Chess::default())
    }

    /// The position that a FEN describes (standard castling only).
    ///
    /// # Errors
    ///
    /// Fails if the text is not a FEN, or if shakmaty rejects the position as illegal.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fen: Fen = fen.parse().map_err(|error| FenError(format!("not a FEN: {error}")))?;
        let position: Chess = fen
            .into_position(CastlingMode::Standard)
            .map_err(|error| FenError(format!("not a legal position: {error}")))?;
        Ok(Self::at(&position))
    }

    /// A board at `position`.
    pub fn at(position: &Chess) -> Self {
        let ep_square = position.ep_square(EnPassantMode::PseudoLegal);
        let mut board = Self {
            pieces: [[0; 8]; 2],
            mailbox: [0; 64],
            turn: number(position.turn()),
            rights: 0,
            en_passant: ep_square.map_or(0, |square| square.file() as u8 + 1),
            possible_checkers: u64::MAX,
            sensitive: 0,
            key: Key::of(position).0,
            tables: tables::tables(),
        };
        for (square, piece) in position.board() {
            let (color, role) = (usize::from(number(piece.color)), piece.role);
            board.pieces[color][role as usize] |= 1 << u32::from(square);
            board.pieces[color][0] |= 1 << u32::from(square);
            board.mailbox[usize::from(square)] = role as u8;
        }
        for (bit, (color, side)) in RIGHTS.into_iter().enumerate() {
            board.rights |= u8::from(position.castles().has(color, side)) << bit;
        }
        board.sensitive = board.sensitive_squares();
        board
    }

    /// The key of the position.
    #[inline]
    pub fn key(&self) -> Key {
        Key(self.key)
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        Color::from_white(self.turn == 0)
    }

    /// The position as shakmaty represents it, without move counters.
    ///
    /// # Panics
    ///
    /// Panics if the board is not a legal position, which would be a bug in this file.
    #[must_use]
    pub fn position(&self) -> Chess {
        let mut setup = Setup::empty();
        let [white, black] = &self.pieces;
        let colors = ByColor { white: Bitboard(white[0]), black: Bitboard(black[0]) };
        let roles = ByRole::new_with(|role| Bitboard(white[role as usize] | black[role as usize]));
        setup.board = shakmaty::Board::try_from_bitboards(roles, colors).unwrap_or_default();
        setup.turn = self.turn();
        setup.ep_square = self.en_passant_square();
        for (bit, (color, side)) in RIGHTS.into_iter().enumerate() {
            if self.rights >> bit & 1 == 1 {
                setup.castling_rights.add(Square::from_coords(rook_file(side), color.backrank()));
            }
        }
        match legal_position(setup) {
            Some(position) => position,
            None => panic!("a replayed board is a legal position"),
        }
    }

    /// Plays the only legal move that matches `san`.
    ///
    /// # Errors
    ///
    /// Fails if no legal move matches, or more than one does. In that case, the board does not change.
    #[inline]
    pub fn play_san(&mut self, san: &San) -> Result<Ply, SanError> {
        match *san {
            San::Normal { role, file, rank, capture, to, promotion: None } => {
                self.play_move(role, file, rank, capture, to)
            }
            _ => self.play_rare(*san),
        }
    }

    /// Plays the only legal move to `to` by a piece of this role, which must be on `file` and `rank` if these
    /// are given. Castling and promotions are not considered. This is [`play_san`](Self::play_san) for a
    /// caller that has the parts of a SAN but no [`San`].
    ///
    /// # Errors
    ///
    /// Fails with the same errors as [`play_san`](Self::play_san).
    pub fn play_move(
        &mut self,
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        capture: bool,
        to: Square,
    ) -> Result<Ply, SanError> {
        let (hint, to) = (self.tables.hint(file, rank), usize::from(to));
        if self.turn == 0 {
            self.play::<0>(role, hint, capture, to)
        } else {
            self.play::<1>(role, hint, capture, to)
        }
    }

    /// Plays a move of the side to move, `US`, that is neither castling nor a promotion.
    #[inline]
    fn play<const US: usize>(
        &mut self,
        role: Role,
        hint: u64,
        capture: bool,
        to: usize,
    ) -> Result<Ply, SanError> {
        if !self.can_land::<US>(capture, to) {
            return self.take_en_passant(role, hint, capture, to);
        }
        let mv = self.resolve::<US>(role, hint, capture, to)?;
        Ok(self.apply::<US>(mv))
    }

    /// Plays castling and promotions, and refuses SAN that is not a move of standard chess.
    #[cold]
    fn play_rare(&mut self, san: San) -> Result<Ply, SanError> {
        match san {
            San::Normal { role: Role::Pawn, file, rank, capture, to, promotion: Some(promotion) } => {
                let hint = self.tables.hint(file, rank);
                let mv = self.resolve_promotion(hint, capture, usize::from(to), promotion)?;
                Ok(if self.turn == 0 { self.apply::<0>(mv) } else { self.apply::<1>(mv) })
            }
            San::Castle(side) => self.castle(side),
            San::Normal { .. } | San::Put { .. } | San::Null => Err(SanError::IllegalSan),
        }
    }

    /// The role of the piece on a square; `None` if the side to move has no piece there.
    fn own_role(&self, at: usize) -> Option<Role> {
        role_of(self.mailbox[at]).filter(|_| self.pieces[self.us()][0] >> at & 1 == 1)
    }

    /// The key, computed from the pieces.
    fn hashed_in_full(&self) -> Key {
        let turn = if self.turn == 0 { self.tables.zobrist.white_turn } else { 0 };
        let pieces = (0..64).map(|at| {
            let color = usize::from(self.pieces[1][0] >> at & 1 == 1);
            self.tables.zobrist.pieces[color][usize::from(self.mailbox[at])][at]
        });
        let rights = self.tables.zobrist.rights[usize::from(self.rights)];
        let en_passant = self.tables.zobrist.en_passant[usize::from(self.en_passant)];
        Key(pieces.fold(turn ^ rights ^ en_passant, |hash, number| hash ^ number))
    }

    /// The square behind a pawn that just moved two squares, if a pawn of the side to move is beside it.
    fn en_passant_square(&self) -> Option<Square> {
        let file = u32::from(self.en_passant.checked_sub(1)?);
        Some(Square::from_coords(File::new(file), self.turn().relative_rank(Rank::Sixth)))
    }

    #[inline]
    fn us(&self) -> usize {
        usize::from(self.turn & 1)
    }

    #[inline]
    fn all(&self) -> u64 {
        self.pieces[0][0] | self.pieces[1][0]
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", Fen::from_position(&self.position(), EnPassantMode::PseudoLegal))
    }
}

fn number(color: Color) -> u8 {
    color.fold_wb(0, 1)
}

/// The file from which a rook castles in standard chess.
fn rook_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    }
}

#[cfg(test)]
mod tests;
