//! Merges, ages and clears experience.

use position::{Experience, Lesson, OwnResults};

use crate::{Error, search::is_playable};

/// Merges the experience of an edge. `later` is the experience that the user listed second, or that was
/// learned more recently.
///
/// Learned values are averaged, weighted by the number of lessons; own results are added. A value set by hand
/// in `later` replaces the one in `earlier`. Of two searches, the deeper one is kept; if both have the same
/// depth, the later one is kept. A learned value that is not finite is treated as if nothing had been
/// learned.
#[must_use]
pub fn merge(earlier: &Experience, later: &Experience) -> Experience {
    let (learn, learn_count) = merged_learn(learned(earlier), learned(later));
    let search = if is_deeper(earlier, later) { earlier } else { later };
    Experience {
        learn,
        learn_count,
        own: added(earlier.own, later.own),
        user_value: later.user_value.or(earlier.user_value),
        priority: later.priority.or(earlier.priority),
        nag: later.nag.or(earlier.nag),
        eval: search.eval,
        mate: search.mate,
        depth: search.depth,
        nodes: search.nodes,
    }
}

/// The learned value and the number of lessons. A value that another program wrote with a count of 0 is
/// treated as one lesson.
fn learned(experience: &Experience) -> (f32, u32) {
    let Experience { learn, learn_count, .. } = *experience;
    if !learn.is_finite() {
        return (0.0, 0);
    }
    (learn, if learn == 0.0 { learn_count } else { learn_count.max(1) })
}

fn merged_learn(earlier: (f32, u32), later: (f32, u32)) -> (f32, u32) {
    let lessons = f64::from(earlier.1) + f64::from(later.1);
    if lessons == 0.0 {
        return (0.0, 0);
    }
    let sum = f64::from(earlier.0) * f64::from(earlier.1) + f64::from(later.0) * f64::from(later.1);
    ((sum / lessons) as f32 + 0.0, earlier.1.saturating_add(later.1))
}

fn added(one: OwnResults, other: OwnResults) -> OwnResults {
    OwnResults {
        wins: one.wins.saturating_add(other.wins),
        draws: one.draws.saturating_add(other.draws),
        losses: one.losses.saturating_add(other.losses),
    }
}

/// Whether to keep the earlier search. It is kept if it has a value and the later search either has no value
/// or has a lower depth.
fn is_deeper(earlier: &Experience, later: &Experience) -> bool {
    let has_value = |known: &Experience| known.eval.is_some() || known.mate.is_some();
    has_value(earlier) && (!has_value(later) || earlier.depth > later.depth)
}

/// Multiplies a learned value by `factor`. Values of −0.80 or below are left alone.
///
/// This kind of ageing is proposed in Hyatt's paper, but no version of Crafty does it (Crafty: ageing).
///
/// # Errors
///
/// Fails with [`Error::Factor`] if `factor` is not between 0 and 1.
pub fn age(experience: &mut Experience, factor: f32) -> Result<(), Error> {
    if !(0.0..=1.0).contains(&factor) {
        return Err(Error::Factor(factor));
    }
    if is_playable(experience.learn) {
        experience.learn = experience.learn * factor + 0.0;
    }
    Ok(())
}

/// Clears everything that comes from lessons of these kinds.
pub fn clear(experience: &mut Experience, lessons: &[Lesson]) {
    for lesson in lessons {
        match lesson {
            Lesson::Learn => (experience.learn, experience.learn_count) = (0.0, 0),
            Lesson::Own => experience.own = OwnResults::default(),
            Lesson::Set => (experience.user_value, experience.priority, experience.nag) = (None, None, None),
            Lesson::Search => {
                (experience.eval, experience.mate) = (None, None);
                (experience.depth, experience.nodes) = (None, None);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "halves are exact")]
mod tests {
    use super::*;

    fn learned(learn: f32, learn_count: u32) -> Experience {
        Experience { learn, learn_count, ..Experience::default() }
    }

    fn searched(eval: f32, depth: u16) -> Experience {
        Experience { eval: Some(eval), depth: Some(depth), ..Experience::default() }
    }

    #[test]
    fn learned_values_average_by_lessons() {
        let merged = merge(&learned(-1.0, 3), &learned(1.0, 1));
        assert_eq!((merged.learn, merged.learn_count), (-0.5, 4));
        assert_eq!(merge(&learned(0.0, 0), &learned(0.25, 2)), learned(0.25, 2));
        assert_eq!(merge(&learned(0.5, 0), &learned(0.25, 1)), learned(0.375, 2));
        assert_eq!(merge(&learned(f32::NAN, 9), &learned(0.25, 1)), learned(0.25, 1));
        assert_eq!(merge(&learned(1.0, u32::MAX), &learned(1.0, u32::MAX)), learned(1.0, u32::MAX));
    }

    #[test]
    fn later_hands_win_where_they_set_anything() {
        let earlier = Experience { user_value: Some(75), priority: Some(4), nag: Some(1), ..learned(0.0, 0) };
        let later = Experience { user_value: Some(0), ..learned(0.0, 0) };
        let merged = merge(&earlier, &later);
        assert_eq!((merged.user_value, merged.priority, merged.nag), (Some(0), Some(4), Some(1)));
    }

    #[test]
    fn the_deeper_search_stands() {
        assert_eq!(merge(&searched(0.5, 12), &searched(-0.5, 10)), searched(0.5, 12));
        assert_eq!(merge(&searched(0.5, 10), &searched(-0.5, 10)), searched(-0.5, 10));
        assert_eq!(merge(&searched(0.5, 10), &learned(0.0, 0)), searched(0.5, 10));
        assert_eq!(merge(&learned(0.0, 0), &searched(0.5, 1)), searched(0.5, 1));
    }

    #[test]
    fn ageing_keeps_what_is_really_bad() {
        let aged = |learn: f32| {
            let mut experience = learned(learn, 3);
            age(&mut experience, 0.5).unwrap();
            experience.learn
        };
        assert_eq!([aged(1.0), aged(-0.5), aged(-0.8), aged(-3.0)], [0.5, -0.25, -0.8, -3.0]);
        for factor in [-0.1, 1.1, f32::NAN, f32::INFINITY] {
            assert!(age(&mut learned(0.0, 0), factor).is_err());
        }
    }

    #[test]
    fn lessons_are_forgotten_one_by_one() {
        let own = OwnResults { wins: 1, draws: 2, losses: 3 };
        let all =
            Experience { own, user_value: Some(1), priority: Some(3), nag: Some(1), ..searched(0.1, 5) };
        let mut experience = Experience { learn: 0.5, learn_count: 1, ..all };
        clear(&mut experience, &[Lesson::Learn]);
        assert_eq!(experience, all);
        clear(&mut experience, Lesson::ALL);
        assert!(experience.is_empty());
    }
}
