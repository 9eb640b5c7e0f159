//! Arena's priorities, 0 to 9, as values set by a user, 0 to 100, and back.

/// Arena's highest priority.
pub(super) const PRIORITY_MAX: u8 = 9;

/// The value of a priority: 9 is 100, and 0 is 0, which may not be played.
pub(super) fn value_of(priority: u8) -> u8 {
    let (priority, most) = (u32::from(priority.min(PRIORITY_MAX)), u32::from(PRIORITY_MAX));
    ((priority * 100 + most / 2) / most) as u8
}
