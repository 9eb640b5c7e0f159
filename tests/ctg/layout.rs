//! A ChessBase book, written from its layout: a header, and pages of 4,096 bytes with positions of White to
//! move.

use book::ctg::{EntryMove, NormalForm};
use shakmaty::{
    CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position as _, Rank, Role, Square,
    uci::UciMove,
};

/// Bytes of a page.
const PAGE_BYTES: usize = 4096;

/// A position of a book.
#[derive(Clone, Default)]
pub(super) struct Written {
    /// The position in the form of the book.
    pub(super) position: Chess,
    /// Moves and their annotations.
    pub(super) moves: Vec<(u8, u8)>,
    /// Games, won by the side to move, lost, drawn.
    pub(super) games: [u32; 4],
    pub(super) recommendation: u8,
}

/// The byte of a move of `position`, if it has one.
pub(super) fn code(position: &Chess, m: Move) -> Option<u8> {
    let normal = NormalForm::of(position).unwrap();
    let is_it = |code: &u8| {
        let Some(UciMove::Normal { from, to, promotion }) =
            EntryMove { code: *code, annotation: 0 }.uci(normal.position())
        else {
            return false;
        };
        let (from, to) = (normal.square(from), normal.square(to));
        UciMove::Normal { from, to, promotion }.to_move(position).is_ok_and(|found| found == m)
    };
    (0..=u8::MAX).find(is_it)
}

/// A book of these positions, as many a page as it takes.
pub(super) fn ctg(positions: &[Written]) -> Vec<u8> {
    let mut book = vec![0; PAGE_BYTES];
    book[28..32].copy_from_slice(&10_u32.to_be_bytes());
    let (mut page, mut count) = (Vec::new(), 0_u16);
    for position in positions {
        let entry = entry(position);
        if 4 + page.len() + entry.len() > PAGE_BYTES {
            add(&mut book, &mut page, &mut count);
        }
        page.extend(entry);
        count += 1;
    }
    add(&mut book, &mut page, &mut count);
    book
}

/// Adds a page, with what is no part of it at its end.
fn add(book: &mut Vec<u8>, page: &mut Vec<u8>, count: &mut u16) {
    book.extend(count.to_be_bytes());
    book.extend(u16::try_from(4 + page.len()).unwrap().to_be_bytes());
    book.append(page);
    book.resize(book.len().next_multiple_of(PAGE_BYTES), 0xa5);
    *count = 0;
}

fn entry(written: &Written) -> Vec<u8> {
    let mut bytes = board(&written.position);
    bytes.push(u8::try_from(1 + 2 * written.moves.len()).unwrap());
    bytes.extend(written.moves.iter().flat_map(|(code, annotation)| [*code, *annotation]));
    bytes.extend(written.games.iter().flat_map(|games| games.to_be_bytes()[1..].to_vec()));
    bytes.extend([0; 18]);
    bytes.extend([written.recommendation, 0, 0]);
    bytes
}

/// The position as bits.
fn board(position: &Chess) -> Vec<u8> {
    let mut bits = String::new();
    for file in File::ALL {
        for rank in Rank::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            bits += piece.map_or("0".into(), bits_of).as_str();
        }
    }
    let en_passant =
        position.ep_square(EnPassantMode::Legal).map(|square| format!("{:03b}", u32::from(square.file())));
    let rights = [
        (Color::Black, CastlingSide::KingSide),
        (Color::Black, CastlingSide::QueenSide),
        (Color::White, CastlingSide::KingSide),
        (Color::White, CastlingSide::QueenSide),
    ];
    let has =
        |(color, side): (Color, CastlingSide)| if position.castles().has(color, side) { '1' } else { '0' };
    let castling: Option<String> = position.castles().any().then(|| rights.into_iter().map(has).collect());
    let special = format!("{}{}", en_passant.as_deref().unwrap_or(""), castling.as_deref().unwrap_or(""));
    if special.is_empty() {
        bits.push('0');
    }
    while !(bits.len() + special.len()).is_multiple_of(8) {
        bits.push('0');
    }
    bits += &special;
    let packed =
        bits.as_bytes().chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | (bit - b'0')));
    let mut bytes: Vec<u8> = std::iter::once(0).chain(packed).collect();
    let flags = (u8::from(en_passant.is_some()) << 5) | (u8::from(castling.is_some()) << 6);
    bytes[0] = u8::try_from(bytes.len()).unwrap() | flags;
    bytes
}

fn bits_of(piece: Piece) -> String {
    let role = match piece.role {
        Role::Pawn => "11",
        Role::Knight => "1001",
        Role::Bishop => "1010",
        Role::Rook => "1011",
        Role::Queen => "10001",
        Role::King => "10000",
    };
    format!("{role}{}", u8::from(piece.color == Color::Black))
}
