//! Turns the columns of an experience file into rows.

use pages::{Cell, Rows};
use position::{Contribution, Experience, ExperienceRow, Key, OwnResults, PackedMove};

use super::header::ExperienceHeader;

/// Returns the row that `rows` is at; fails with a message that states what is wrong with it.
pub(super) fn row(rows: &Rows, header: &ExperienceHeader) -> Result<ExperienceRow, &'static str> {
    let mut column = 0;
    let mut next = || {
        column += 1;
        rows.cell(column - 1)
    };
    let key = Key(number(&next()));
    let mv = PackedMove(number(&next()) as u16);
    let kind = next().text().and_then(|kind| kind.parse().ok());
    let learn = real(&next()).unwrap_or(0.0);
    let [learn_count, wins, draws, losses] = [(); 4].map(|()| number(&next()) as u32);
    let [user_value, priority, nag] = [(); 3].map(|()| next().number().map(|value| value as u8));
    let (eval, depth) = (real(&next()), next().number().map(|depth| depth as u16));
    let mut search = || header.evaluations.then(|| next().number()).flatten();
    let (mate, nodes) = (search().map(|mate| mate as i16), search());
    let own = OwnResults { wins, draws, losses };
    let experience =
        Experience { learn, learn_count, own, user_value, priority, nag, eval, depth, mate, nodes };
    check_values(&experience)?;
    let taught = taught([(); 4].map(|()| next()), header)?;
    Ok(ExperienceRow { key, mv, kind: kind.ok_or("an unknown kind")?, experience, taught })
}

/// The number in a column without nulls.
fn number(cell: &Cell<'_>) -> u64 {
    cell.number().unwrap_or_default()
}

fn real(cell: &Cell<'_>) -> Option<f32> {
    cell.number().map(|bits| f32::from_bits(bits as u32))
}

/// Checks that values are in range.
pub(crate) fn check_values(experience: &Experience) -> Result<(), &'static str> {
    let finite = experience.learn.is_finite() && experience.eval.is_none_or(f32::is_finite);
    match experience {
        _ if !finite => Err("a value that is not a number"),
        Experience { eval: Some(_), mate: Some(_), .. } => Err("a search with two values"),
        Experience { user_value: Some(101..), .. } => Err("a user value above 100"),
        Experience { priority: Some(6..), .. } => Err("a priority above 5"),
        _ => Ok(()),
    }
}

fn taught(
    [names, lessons, counts, lasts]: [Cell<'_>; 4],
    header: &ExperienceHeader,
) -> Result<Vec<Contribution>, &'static str> {
    let (mut lessons, mut counts, mut lasts) = (lessons.texts(), counts.numbers(), lasts.numbers());
    let items = names.texts().map(|name| {
        let lesson = lessons.next().and_then(|lesson| lesson.parse().ok());
        Ok(Contribution {
            source: header.source(name).ok_or("a source that the file's metadata do not list")?,
            lesson: lesson.ok_or("an unknown lesson")?,
            count: counts.next().flatten().unwrap_or_default() as u32,
            last: lasts.next().flatten().unwrap_or_default() as u32,
        })
    });
    let taught: Vec<_> = items.collect::<Result<_, &str>>()?;
    let ascend = taught.windows(2).all(|two| (two[0].source, two[0].lesson) < (two[1].source, two[1].lesson));
    ascend.then_some(taught).ok_or("sources that do not ascend")
}
