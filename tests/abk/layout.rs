//! An Arena book, written from its layout: a header of 900 records, then 28 bytes a record.

/// A record; `next` and `sibling` are counted from the first record, 0.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) promotion: i8,
    pub(super) priority: u8,
    /// Games, won and lost by White.
    pub(super) games: [i32; 3],
    pub(super) flags: u32,
    pub(super) next: Option<i32>,
    pub(super) sibling: Option<i32>,
}

/// A move by its squares, its priority, its games and its links.
pub(super) fn played(
    name: &'static str,
    priority: u8,
    games: [i32; 3],
    next: Option<i32>,
    sibling: Option<i32>,
) -> Written {
    Written { from: &name[..2], to: &name[2..4], promotion: 0, priority, games, flags: 0, next, sibling }
}

/// The number of a square, a1 0 to h8 63.
fn square(name: &str) -> u8 {
    let [file, rank] = name.as_bytes() else { panic!("{name}") };
    file - b'a' + 8 * (rank - b'1')
}

/// A book of these records.
pub(super) fn abk(records: &[Written]) -> Vec<u8> {
    let mut bytes = b"\x03ABKpb\0\0\x1c\0\0\0".to_vec();
    bytes.resize(900 * 28, b'y');
    bytes[12] = 0;
    bytes[133] = 0;
    for record in records {
        let promotion = record.promotion.cast_unsigned();
        bytes.extend([square(record.from), square(record.to), promotion, record.priority]);
        let link = |link: Option<i32>| link.map_or(-1, |record| 900 + record);
        let [games, won, lost] = record.games;
        let flags = record.flags.cast_signed();
        for int in [games, won, lost, flags, link(record.next), link(record.sibling)] {
            bytes.extend(int.to_le_bytes());
        }
    }
    bytes
}
