//! Tests an intent whose command was killed before it decided.

use std::os::unix::fs::symlink;

use super::{CALLS_MAX, Place, prepared_file, prepared_folder, taking_notices};
use crate::{
    publish,
    recover::{State, recover, settle},
    testing::{failing_after, killed_after, names, without_locks},
};
use tempfile::tempdir;

/// Kills a command that has written an intent in the second folder and not yet its decision in the first.
fn kill_undecided(place: &Place) {
    for calls in 0..CALLS_MAX {
        let outputs = place.prepare("n");
        killed_after(calls, || publish(outputs));
        if intents(place) == ["two/.book.bin.tabia-journal"] {
            return;
        }
        for path in place.outputs() {
            recover(&path).unwrap();
        }
    }
    panic!("no such call");
}

/// The intents that are there.
fn intents(place: &Place) -> Vec<String> {
    let of = |folder: &str| {
        let names = names(&place.dir.path().join(folder)).into_iter();
        names.filter(|name| name.ends_with(".tabia-journal")).map(|name| format!("{folder}/{name}")).collect()
    };
    let folders: [Vec<_>; 2] = ["one", "two"].map(of);
    folders.concat()
}

#[test]
fn the_decision_of_another_command_decides_nothing() {
    let place = Place::new();
    place.write("o");
    kill_undecided(&place);
    let [book, table, polyglot] = place.outputs();
    for calls in 0.. {
        assert!(calls < CALLS_MAX);
        // Another command with the same first output is killed after it decided.
        let outputs = vec![prepared_file(&book, "m"), prepared_folder(&table, "m")];
        killed_after(calls, || publish(outputs));
        if intents(&place).contains(&"one/.book.tabia.tabia-journal".to_owned()) {
            break;
        }
        recover(&table).unwrap();
    }
    recover(&polyglot).unwrap();
    assert_eq!(place.texts(), "ooo");
    recover(&book).unwrap();
    assert_eq!((place.texts().as_str(), intents(&place)), ("mmo", vec![]));
}

#[test]
fn without_locks_an_undecided_intent_may_be_of_a_living_command_and_stays() {
    let place = Place::new();
    place.write("o");
    kill_undecided(&place);
    let [.., polyglot] = place.outputs();
    without_locks(|| recover(&polyglot).unwrap());
    assert_eq!((place.texts().as_str(), intents(&place).len()), ("ooo", 1));
    recover(&polyglot).unwrap();
    assert_eq!((place.texts().as_str(), intents(&place).len()), ("ooo", 0));
}

#[test]
fn an_intent_that_cannot_be_opened_is_not_taken_for_gone() {
    let dir = tempdir().unwrap();
    let circle = dir.path().join("circle");
    symlink("circle", &circle).unwrap();
    assert!(settle(&circle).is_err());
    assert_eq!(settle(&dir.path().join("gone")).unwrap(), State::Settled);
}

/// Not killed: it goes on after the call that fails, and takes back what it has decided.
#[test]
fn a_command_that_fails_at_any_call_leaves_every_output_or_says_which_follow() {
    let (mut left, mut followed) = (0, 0);
    for calls in 0.. {
        assert!(calls < CALLS_MAX);
        let place = Place::new();
        place.write("o");
        let outputs = place.prepare("n");
        let taking = taking_notices();
        let (published, is_reached) = failing_after(calls, || publish(outputs));
        drop(taking);
        for path in place.outputs() {
            recover(&path).unwrap();
        }
        let is_left = published.as_ref().is_err_and(|error| error.replaced.is_empty());
        assert_eq!(place.texts(), if is_left { "ooo" } else { "nnn" }, "{calls} calls: {published:?}");
        assert_eq!(intents(&place), [""; 0], "{calls} calls");
        left += u32::from(is_left);
        followed += u32::from(published.is_err_and(|error| error.is_unfinished));
        if !is_reached {
            break;
        }
    }
    assert!(left > 10 && followed >= 2, "{left} {followed}");
}
