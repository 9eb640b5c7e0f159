//! Collects the annotations of a game's moves.

use std::ops::Range;

use shakmaty::Color;

use super::{AnnotatedPly, Notes, comment};
use crate::{
    movetext::{Annotation, Movetext, Token, annotations},
    replay::{Visit, WrittenMove},
};

/// Evaluation signs for a position, and their NAGs (PGN standard, section 10; Chess Informant's signs in
/// ASCII).
const GLYPHS: [(&[u8], u8); 10] = [
    (b"=", 10),
    (b"~", 13),
    (b"+/=", 14),
    (b"+=", 14),
    (b"=/+", 15),
    (b"=+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+-", 18),
    (b"-+", 19),
];

/// Signs that follow a move directly, and their NAGs (PGN standard, sections 8.2.3.8 and 10).
const SUFFIXES: [(&[u8], u8); 6] = [(b"!", 1), (b"?", 2), (b"!!", 3), (b"??", 4), (b"!?", 5), (b"?!", 6)];

/// Appends the moves of `visits`, each with the notes that follow it. The movetext begins at offset `at` of
/// `text`. The first of these moves has index `first` in the game.
pub(super) fn annotate(
    text: &[u8],
    at: usize,
    first: usize,
    visits: &[Visit],
    plies: &mut Vec<AnnotatedPly>,
) {
    plies.reserve(visits.len());
    let mut movetext = Movetext::new(text, at);
    let (mut moves, mut open) = (0_usize, None);
    loop {
        let token = movetext.next();
        let gap_end = if token.is_some() { movetext.span().start } else { text.len() };
        if let Some((visit, from)) = open.take() {
            plies.push(annotated(visit, text, from..gap_end));
        }
        match token {
            Some(Token::Move(_)) => {
                let visit = moves.checked_sub(first).and_then(|index| visits.get(index));
                open = visit.map(|visit| (visit, movetext.span().end));
                moves += 1;
            }
            Some(_) => {}
            None => return,
        }
    }
}

/// Appends the moves in all lines of a record, with their notes, in the order of the text.
pub(super) fn annotate_written<'w>(
    text: &[u8],
    written: impl Iterator<Item = &'w WrittenMove>,
    plies: &mut Vec<AnnotatedPly>,
) {
    plies.extend(written.map(|WrittenMove { visit, gap }| annotated(visit, text, gap.clone())));
}

fn annotated(visit: &Visit, text: &[u8], gap: Range<usize>) -> AnnotatedPly {
    let &Visit { key, mv, step } = visit;
    AnnotatedPly { key, mv, step, notes: notes(text, gap, step.mover()) }
}

fn notes(text: &[u8], gap: Range<usize>, mover: Color) -> Notes {
    let mut notes = Notes::default();
    for found in annotations(text, gap) {
        match found {
            Annotation::Comment(comment) => comment::read(comment, mover, &mut notes),
            Annotation::Nag(Some(nag @ 1..=9)) => notes.nag = Some(nag),
            Annotation::Nag(Some(nag @ 10..=135)) => notes.assessment = Some(nag),
            Annotation::Nag(_) => {}
            Annotation::Suffix(suffix) => notes.nag = named(&SUFFIXES, suffix).or(notes.nag),
            Annotation::Glyph(glyph) => notes.assessment = named(&GLYPHS, glyph).or(notes.assessment),
        }
    }
    notes
}

fn named(names: &[(&[u8], u8)], name: &[u8]) -> Option<u8> {
    names.iter().find(|(known, _)| *known == name).map(|&(_, nag)| nag)
}
