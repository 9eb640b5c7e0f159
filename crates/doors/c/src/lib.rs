//! Tabia's books for C and C++: open, probe, pick, close.
//!
//! `include/tabia.h` is generated from this file by cbindgen; a test compares the two. No panic crosses the
//! boundary: each function catches the panics of the code that it calls. Each thread keeps the message of its
//! own last error.
//!
//! # Safety
//!
//! The calling C code must ensure three things. Every string ends with a zero byte and stays valid during the
//! call. Every book was returned by `tabia_open` and has not been closed. Every pointer through which a
//! function writes a value points to enough memory for that value. A function fails if it gets a null pointer
//! where none is allowed.

use std::{
    cell::RefCell,
    ffi::{CStr, CString, OsStr, c_char},
    os::unix::ffi::OsStrExt as _,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    ptr, slice,
};

use position::{Key, PackedMove, Tally, named_position};
use query::{Artefact, Chooser, KeyMove, KeyProbe};
use shakmaty::{CastlingMode, Chess, Color};

/// An open book, table or Polyglot book. Any number of threads may read one book at the same time.
pub struct TabiaBook(Artefact);

/// What a function returns.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(C)]
pub enum TabiaStatus {
    /// Done.
    Ok = 0,
    /// The position is not in the book, or the policy has no move to choose. Not an error.
    None = 1,
    /// The call failed; `tabia_error` returns the reason.
    Failed = 2,
}

/// An array of this length has room for all moves of any position.
pub const TABIA_MOVES_MAX: usize = 256;

/// One move of a position.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct TabiaMove {
    /// The move in UCI notation, as a string that ends with a zero byte. Castling is written as a two-square
    /// king move. In a probe by key, `e1h1`, `e1a1`, `e8h8` and `e8a8` are assumed to be castling unless a
    /// table says otherwise.
    pub uci: [c_char; 6],
    /// The move in Polyglot's sixteen-bit encoding.
    pub bits: u16,
    /// The move's weight. In a Polyglot book, this is the stored weight; otherwise, it is the weight that
    /// `tabia export polyglot` writes by default.
    pub weight: u16,
    /// The number of games that White won. Like the next two numbers, it is 0 in a Polyglot book.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// The score of the side to move, from 0 to 1; negative if unknown.
    pub score: f64,
    /// The probability, 0 to 1, with which the policy picked the move; 0 if the move comes from a probe.
    pub probability: f64,
}

/// The reason why a call ends early: there is no result, or the call failed with this message.
enum Stop {
    None,
    Failed(String),
}

impl<E: std::error::Error> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Runs `work`, stores the message of its error, and catches panics.
fn call(work: impl FnOnce() -> Result<(), Stop>) -> TabiaStatus {
    let panicked = |_| Err(Stop::Failed("Tabia panicked, which is a defect of it".into()));
    let text = match catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked) {
        Ok(()) => return TabiaStatus::Ok,
        Err(Stop::None) => return TabiaStatus::None,
        Err(Stop::Failed(text)) => text,
    };
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    // A thread that is ending has already dropped its message slot, so the new message is lost.
    let _ = ERROR.try_with(|error| error.replace(text));
    TabiaStatus::Failed
}

fn null(what: &str) -> Stop {
    Stop::Failed(format!("{what} is a null pointer"))
}

/// A C string; `None` for a null pointer.
///
/// # Safety
///
/// The string ends with a zero byte and stays valid as long as the result is used.
unsafe fn text<'t>(pointer: *const c_char) -> Result<Option<&'t str>, Stop> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Stop::Failed("a string is not UTF-8".into()))
}

/// The position of a FEN; the start position for a null pointer.
///
/// # Safety
///
/// As [`text`].
unsafe fn position(fen: *const c_char) -> Result<Chess, Stop> {
    // SAFETY: guaranteed by the caller.
    let fen = unsafe { text(fen) }?;
    Ok(named_position(fen, None)?)
}

/// Opens a book, a table or a Polyglot book, and stores its address in `*book`; `tabia_close` frees it.
///
/// # Safety
///
/// `path` is a string, and `book` points to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_open(path: *const c_char, book: *mut *mut TabiaBook) -> TabiaStatus {
    call(|| {
        if path.is_null() || book.is_null() {
            return Err(null("path or book"));
        }
        // SAFETY: the path is a string, and there is room for a pointer; neither is null.
        let path = unsafe {
            *book = ptr::null_mut();
            Path::new(OsStr::from_bytes(CStr::from_ptr(path).to_bytes()))
        };
        let opened = Box::new(TabiaBook(Artefact::open(path)?));
        // SAFETY: as above.
        unsafe { *book = Box::into_raw(opened) };
        Ok(())
    })
}

/// Closes a book; does nothing for a null pointer.
///
/// # Safety
///
/// `book` is open, and no thread uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_close(book: *mut TabiaBook) {
    if !book.is_null() {
        call(|| {
            // SAFETY: `tabia_open` returned `book`, and only this function frees it.
            drop(unsafe { Box::from_raw(book) });
            Ok(())
        });
    }
}

/// Computes the key of the position in `fen`, or of the start position if `fen` is null.
///
/// # Safety
///
/// `fen` is a string or null, and `key` points to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_key(fen: *const c_char, key: *mut u64) -> TabiaStatus {
    call(|| {
        // SAFETY: guaranteed by this function's caller.
        let position = unsafe { position(fen) }?;
        // SAFETY: the pointer is null or has room for a number.
        *unsafe { key.as_mut() }.ok_or_else(|| null("key"))? = Key::of(&position).0;
        Ok(())
    })
}

/// Finds the legal moves that a book has in the position `fen`, or in the start position if `fen` is null.
/// The most played moves come first; the moves of a Polyglot book keep the book's order. Writes the first
/// `room` moves to `moves`, which may be null if `room` is 0, and the total number of moves to `*count`.
/// Returns `TABIA_STATUS_NONE` if the position is not in the book.
///
/// # Safety
///
/// `book` is open, and `fen` is a string or null. `moves` points to memory for `room` moves, and `count`
/// points to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_probe(
    book: *const TabiaBook,
    fen: *const c_char,
    moves: *mut TabiaMove,
    room: usize,
    count: *mut usize,
) -> TabiaStatus {
    call(|| {
        // SAFETY: guaranteed by this function's caller.
        let (position, book) = unsafe { (position(fen)?, book.as_ref()) };
        let book = book.ok_or_else(|| null("book"))?;
        let found = query::probe_key(&book.0, Key::of(&position))?;
        // SAFETY: guaranteed by this function's caller.
        unsafe { give(found.as_ref(), Some(&position), moves, room, count) }
    })
}

/// Like `tabia_probe`, but for a key. There is no board, so the moves are not tested for legality.
///
/// # Safety
///
/// As `tabia_probe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_probe_key(
    book: *const TabiaBook,
    key: u64,
    moves: *mut TabiaMove,
    room: usize,
    count: *mut usize,
) -> TabiaStatus {
    call(|| {
        // SAFETY: guaranteed by this function's caller.
        let book = unsafe { book.as_ref() }.ok_or_else(|| null("book"))?;
        let found = query::probe_key(&book.0, Key(key))?;
        // SAFETY: guaranteed by this function's caller.
        unsafe { give(found.as_ref(), None, moves, room, count) }
    })
}

/// Chooses a move at random, with the probabilities that a policy assigns to the moves in the position `fen`,
/// or in the start position if `fen` is null. `settings` is null or lists the policy's settings as
/// `name=value`, separated by whitespace. The same seed always gives the same move. Returns
/// `TABIA_STATUS_NONE` if the policy has no move to choose.
///
/// # Safety
///
/// `book` is open, `policy` is a string, `fen` and `settings` are strings or null, and `picked` points to
/// memory for a move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabia_pick(
    book: *const TabiaBook,
    fen: *const c_char,
    policy: *const c_char,
    settings: *const c_char,
    seed: u64,
    picked: *mut TabiaMove,
) -> TabiaStatus {
    call(|| {
        // SAFETY: guaranteed by this function's caller.
        let (position, policy, settings) = unsafe { (position(fen)?, text(policy)?, text(settings)?) };
        // SAFETY: guaranteed by this function's caller.
        let (book, picked) = unsafe { (book.as_ref(), picked.as_mut()) };
        let (book, policy) = (book.ok_or_else(|| null("book"))?, policy.ok_or_else(|| null("policy"))?);
        let picked = picked.ok_or_else(|| null("picked"))?;
        let chooser = Chooser::new(policy, &settings_of(settings.unwrap_or_default())?)?;
        *picked = pick(&book.0, &position, &chooser, seed)?.ok_or(Stop::None)?;
        Ok(())
    })
}

/// The message of the last error on this thread; empty if no call has failed. The string stays valid until
/// the next call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn tabia_error() -> *const c_char {
    ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Reads `name=value` pairs that are separated by whitespace.
fn settings_of(text: &str) -> Result<Vec<(String, String)>, Stop> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    let wrong = |word: &str| Stop::Failed(format!("`{word}` is not a setting: write name=value"));
    text.split_whitespace().map(|word| pair(word).ok_or_else(|| wrong(word))).collect()
}

fn pick(book: &Artefact, position: &Chess, chooser: &Chooser, seed: u64) -> Result<Option<TabiaMove>, Stop> {
    let pick = query::pick(book, position, chooser, seed)?;
    let Some(uci) = pick.uci else { return Ok(None) };
    let mv = PackedMove::pack(position::named_move(position, &uci)?);
    let found = query::probe_key(book, Key::of(position))?;
    let known = found.iter().flat_map(moves_of).find(|(known, _)| known.mv == mv);
    let turn = shakmaty::Position::turn(position);
    // A policy may choose a move that is not in the book, such as one that leads to a position in the book.
    let (tally, weight) = known.map_or((None, 0), |(known, weight)| (known.tally, weight));
    let probability = pick.probability.unwrap_or_default();
    Ok(Some(TabiaMove { probability, ..described(mv, tally, weight, &uci, Some(turn)) }))
}

fn moves_of(found: &KeyProbe) -> impl Iterator<Item = (KeyMove, u16)> {
    found.moves.iter().copied().zip(found.weights())
}

/// Writes the moves that were found to `moves` until it is full, and their total number to `count`.
///
/// # Safety
///
/// `moves` is null or points to memory for `room` moves, and `count` is null or points to memory for a
/// number.
unsafe fn give(
    found: Option<&KeyProbe>,
    position: Option<&Chess>,
    moves: *mut TabiaMove,
    room: usize,
    count: *mut usize,
) -> Result<(), Stop> {
    // SAFETY: guaranteed by the caller.
    let count = unsafe { count.as_mut() }.ok_or_else(|| null("count"))?;
    *count = 0;
    let found = found.ok_or(Stop::None)?;
    let room = match (moves.is_null(), room) {
        (_, 0) => &mut [],
        (true, _) => return Err(null("moves")),
        // SAFETY: guaranteed by the caller; a `TabiaMove` of zeros is valid.
        (false, room) => unsafe {
            ptr::write_bytes(moves, 0, room);
            slice::from_raw_parts_mut(moves, room)
        },
    };
    let turn = position.map(shakmaty::Position::turn).or(found.turn);
    for (known, weight) in moves_of(found) {
        let uci = match position {
            Some(position) => match known.mv.unpack(position) {
                Some(m) => m.to_uci(CastlingMode::Standard).to_string(),
                None => continue,
            },
            None => known.mv.uci(known.step),
        };
        if let Some(place) = room.get_mut(*count) {
            *place = described(known.mv, known.tally, weight, &uci, turn);
        }
        *count += 1;
    }
    Ok(())
}

fn described(mv: PackedMove, tally: Option<Tally>, weight: u16, uci: &str, turn: Option<Color>) -> TabiaMove {
    let Tally { white, draws, black } = tally.unwrap_or_default();
    let score = tally.zip(turn).and_then(|(tally, turn)| tally.score(turn)).unwrap_or(-1.0);
    let mut found = TabiaMove { bits: mv.0, weight, white, draws, black, score, ..TabiaMove::default() };
    for (place, byte) in found.uci.iter_mut().zip(uci.bytes().take(5)) {
        *place = c_char::from_ne_bytes([byte]);
    }
    found
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<TabiaBook>();
};
