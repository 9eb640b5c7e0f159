//! Tests that all outputs of a command appear, or none, wherever it is killed.

mod undecided;

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{TempDir, tempdir, tempdir_in};

use crate::{
    Error, Existing, Marker, OutputFile, OutputFolder, Prepared, publish, recover, remove_folder, sweep,
    take_notices,
    testing::{killed_after, names, without_exchange},
};

const MARKER: Marker = Marker { name: "kind.json", old_name: None, format: "a kind" };

/// A number of system calls that none of these commands reaches.
const CALLS_MAX: u32 = 200;

/// Keeps other tests from taking notices meanwhile.
fn taking_notices() -> MutexGuard<'static, ()> {
    static TAKING: Mutex<()> = Mutex::new(());
    TAKING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two folders, like two file systems, with three outputs: two files and a folder.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        // The folder is in memory if possible: these tests sync some ten thousand times.
        let dir = tempdir_in("/dev/shm").or_else(|_| tempdir()).unwrap();
        fs::create_dir(dir.path().join("one")).unwrap();
        fs::create_dir(dir.path().join("two")).unwrap();
        Self { dir }
    }

    fn outputs(&self) -> [PathBuf; 3] {
        ["one/book.tabia", "one/games.table", "two/book.bin"].map(|name| self.dir.path().join(name))
    }

    /// The contents of the outputs, one letter each.
    fn texts(&self) -> String {
        let text = |path: PathBuf| {
            let file = if path.is_dir() { path.join("text") } else { path };
            fs::read_to_string(file).unwrap_or("-".into())
        };
        self.outputs().map(text).concat()
    }

    fn names(&self) -> Vec<String> {
        [names(&self.dir.path().join("one")), names(&self.dir.path().join("two"))].concat()
    }

    fn prepare(&self, text: &str) -> Vec<Prepared> {
        let [book, table, polyglot] = self.outputs();
        vec![prepared_file(&book, text), prepared_folder(&table, text), prepared_file(&polyglot, text)]
    }

    fn write(&self, text: &str) {
        publish(self.prepare(text)).unwrap();
    }
}

fn prepared_file(path: &Path, text: &str) -> Prepared {
    let mut output = OutputFile::create(path, Existing::Replace).unwrap();
    output.file().write_all(text.as_bytes()).unwrap();
    output.prepare().unwrap()
}

fn prepared_folder(path: &Path, text: &str) -> Prepared {
    let folder = OutputFolder::create(path, MARKER, Existing::Replace).unwrap();
    fs::write(folder.dir().join("text"), text).unwrap();
    folder.prepare(MARKER.format.as_bytes()).unwrap()
}

/// Kills a command before each of its system calls, over older outputs or none. `opened` is the output that
/// is opened next, which decides for all.
fn kill_everywhere(opened: usize, older: bool) {
    for calls in 0.. {
        assert!(calls < CALLS_MAX);
        let place = Place::new();
        let old = if older {
            place.write("o");
            "ooo"
        } else {
            "---"
        };
        let outputs = place.prepare("n");
        let done = killed_after(calls, || publish(outputs));
        recover(&place.outputs()[opened]).unwrap();
        let texts = place.texts();
        assert!([old, "nnn"].contains(&texts.as_str()), "{calls} calls: {texts}");
        for path in place.outputs() {
            recover(&path).unwrap();
        }
        let texts = place.texts();
        assert!([old, "nnn"].contains(&texts.as_str()), "{calls} calls: {texts}");
        for path in place.outputs() {
            sweep(path.parent().unwrap());
        }
        let left = if texts == "---" { &[][..] } else { &["book.tabia", "games.table", "book.bin"][..] };
        assert_eq!(place.names(), left, "{calls} calls");
        if done {
            assert_eq!(texts, "nnn");
            break;
        }
    }
}

#[test]
fn a_command_that_is_killed_anywhere_writes_all_of_its_outputs_or_none() {
    for opened in 0..3 {
        for older in [true, false] {
            kill_everywhere(opened, older);
            without_exchange(|| kill_everywhere(opened, older));
        }
    }
}

#[test]
fn a_recovery_that_is_killed_is_finished_by_the_next() {
    for exchange in [true, false] {
        let run = || {
            for (killed, killed_again) in (0..40).flat_map(|one| (0..12).map(move |other| (one, other))) {
                let place = Place::new();
                place.write("o");
                let outputs = place.prepare("n");
                killed_after(killed, || publish(outputs));
                let opened = &place.outputs()[(killed % 3) as usize];
                killed_after(killed_again, || recover(opened));
                for path in place.outputs() {
                    recover(&path).unwrap();
                }
                let texts = place.texts();
                assert!(["ooo", "nnn"].contains(&texts.as_str()), "{killed}, {killed_again}: {texts}");
            }
        };
        if exchange { run() } else { without_exchange(run) }
    }
}

#[test]
fn a_folder_is_whole_or_gone_wherever_its_removal_is_killed() {
    for calls in 0.. {
        assert!(calls < CALLS_MAX);
        let dir = tempdir().unwrap();
        let parts = dir.path().join("parts");
        fs::create_dir(&parts).unwrap();
        for name in ["one", "two"] {
            fs::write(parts.join(name), name).unwrap();
        }
        let done = killed_after(calls, || remove_folder(&parts));
        assert!(!parts.exists() || names(&parts) == ["one", "two"], "{calls} calls");
        sweep(dir.path());
        assert!(names(dir.path()).is_empty() || names(dir.path()) == ["parts"], "{calls} calls");
        if done {
            assert!(!parts.exists());
            remove_folder(&parts).unwrap();
            break;
        }
    }
}

/// The table's name is free between the two renames, and a user who may not write cannot complete them.
/// Here the writer lives, so its intent is locked and the reader waits for it.
#[test]
fn a_reader_between_two_renames_waits_for_the_writer() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("games.table");
    prepared_folder(&path, "o").publish().unwrap();
    let new = prepared_folder(&path, "n");
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for _ in 0..2_000 {
                recover(&path).unwrap();
            }
        });
        without_exchange(|| new.publish().unwrap());
        reader.join().unwrap();
    });
    assert_eq!(fs::read_to_string(path.join("text")).unwrap(), "n");
    assert_eq!(names(dir.path()), ["games.table"]);
}

/// The number of the call at which the first output has its new name and the last has not.
fn killed_between(place: &Place) -> u32 {
    for calls in 0..CALLS_MAX {
        place.write("o");
        let outputs = place.prepare("n");
        killed_after(calls, || publish(outputs));
        if place.texts().starts_with('n') && !place.texts().ends_with('n') {
            return calls;
        }
        for path in place.outputs() {
            recover(&path).unwrap();
        }
    }
    panic!("no such call");
}

#[test]
fn what_is_on_a_volume_that_is_gone_waits_for_it() {
    let place = Place::new();
    killed_between(&place);
    let [book, _, polyglot] = place.outputs();
    let (two, away) = (place.dir.path().join("two"), place.dir.path().join("away"));
    // The volume is gone, and an empty folder is at its mount point.
    fs::rename(&two, &away).unwrap();
    fs::create_dir(&two).unwrap();
    let taking = taking_notices();
    let _ = take_notices();
    recover(&book).unwrap();
    assert_eq!(place.texts(), "nn-", "what can be finished is");
    let notices = take_notices().join("\n");
    drop(taking);
    assert!(notices.contains("before it could replace") && notices.contains("two is missing"), "{notices}");
    sweep(&two);
    fs::remove_dir(&two).unwrap();
    fs::rename(&away, &two).unwrap();
    sweep(&two);
    recover(&polyglot).unwrap();
    assert_eq!(place.texts(), "nnn");
    assert_eq!(place.names(), ["book.tabia", "games.table", "book.bin"]);
}

#[test]
fn an_intent_that_cannot_be_removed_is_named_and_the_next_command_removes_it() {
    let mut stayed = 0;
    for calls in 0..CALLS_MAX {
        let place = Place::new();
        place.write("o");
        let outputs = place.prepare("n");
        let mut published = None;
        let taking = taking_notices();
        killed_after(calls, || published = Some(publish(outputs)));
        let notices = take_notices().join("\n");
        drop(taking);
        let intents: Vec<_> =
            place.names().into_iter().filter(|name| name.ends_with(".tabia-journal")).collect();
        if published.is_none_or(|published| published.is_err()) || intents.is_empty() {
            continue;
        }
        stayed += 1;
        for name in &intents {
            assert!(notices.contains(&format!("{name} cannot be removed")), "{calls} calls: {notices}");
        }
        for path in place.outputs() {
            recover(&path).unwrap();
        }
        assert_eq!(place.texts(), "nnn");
        let left: Vec<_> = place.names().into_iter().filter(|name| name.contains("journal")).collect();
        assert_eq!(left, [""; 0], "{calls} calls");
    }
    assert_eq!(stayed, 3, "an intent for each of three outputs");
}

#[test]
fn an_output_that_was_changed_since_stays() {
    let place = Place::new();
    killed_between(&place);
    let [book, _, polyglot] = place.outputs();
    fs::remove_file(&polyglot).unwrap();
    fs::write(place.dir.path().join("two/other"), "another's").unwrap();
    fs::rename(place.dir.path().join("two/other"), &polyglot).unwrap();
    recover(&book).unwrap();
    assert_eq!(place.texts(), "nnanother's");
}

#[test]
fn what_was_written_before_a_failure_is_named_and_the_rest_follows() {
    let place = Place::new();
    place.write("o");
    let [book, table, polyglot] = place.outputs();
    let outputs = place.prepare("n");
    // A folder cannot be renamed to a file's name, so the last output fails when two have their names.
    let _ = fs::remove_file(&polyglot);
    fs::create_dir(&polyglot).unwrap();
    let error = publish(outputs).unwrap_err();
    assert!(matches!(error.source, Error::Io { .. }) && error.replaced.is_empty(), "{error}");
    assert_eq!(place.texts(), "oo-", "nothing is replaced if one place is unfit");
    fs::remove_dir(&polyglot).unwrap();
    fs::write(&polyglot, "o").unwrap();
    let calls = killed_between(&place);
    for path in place.outputs() {
        recover(&path).unwrap();
    }
    let outputs = place.prepare("m");
    let mut failed = None;
    killed_after(calls, || failed = publish(outputs).err());
    let text = failed.unwrap().to_string();
    assert!(text.contains("already written") && text.contains(book.to_str().unwrap()), "{text}");
    assert!(
        text.ends_with("will be written when any output of the command is next opened or replaced"),
        "{text}"
    );
    recover(&table).unwrap();
    assert_eq!(place.texts(), "mmm");
}

#[test]
fn an_artefact_that_is_there_is_read_whatever_recovery_may_not_do() {
    let place = Place::new();
    killed_between(&place);
    let [book, _, polyglot] = place.outputs();
    // This has the same effect as a folder that cannot be written.
    killed_after(0, || recover(&polyglot).unwrap());
    killed_after(0, || recover(&book).unwrap());
    fs::remove_file(&polyglot).unwrap();
    killed_after(0, || assert!(recover(&polyglot).is_err(), "nothing is there to be read"));
}

/// Threads write the outputs at once, like processes. Each time all three outputs are of one writer.
#[test]
fn of_commands_at_once_the_last_counts() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for text in ["a", "b", "c"] {
            let place = &place;
            scope.spawn(move || {
                for _ in 0..30 {
                    place.write(text);
                }
            });
        }
    });
    let texts = place.texts();
    assert!(["aaa", "bbb", "ccc"].contains(&texts.as_str()), "{texts}");
    for path in place.outputs() {
        sweep(path.parent().unwrap());
    }
    assert_eq!(place.names(), ["book.tabia", "games.table", "book.bin"]);
}

#[test]
fn a_link_stays_and_its_target_is_replaced() {
    let place = Place::new();
    place.write("o");
    let [book, table, _] = place.outputs();
    let links = ["book", "table"].map(|name| place.dir.path().join("two").join(name));
    std::os::unix::fs::symlink("../one/book.tabia", &links[0]).unwrap();
    std::os::unix::fs::symlink(&table, &links[1]).unwrap();
    publish(vec![prepared_file(&links[0], "n"), prepared_folder(&links[1], "n")]).unwrap();
    assert!(links.iter().all(|link| link.is_symlink()));
    assert_eq!(place.texts(), "nno");
    assert!(!book.is_symlink() && !table.is_symlink());
    let dangling = place.dir.path().join("two/new");
    std::os::unix::fs::symlink("../one/new", &dangling).unwrap();
    assert!(OutputFile::create(&dangling, Existing::Refuse).is_err(), "a link is there");
    prepared_file(&dangling, "n").publish().unwrap();
    assert_eq!(fs::read_to_string(place.dir.path().join("one/new")).unwrap(), "n");
}

#[test]
fn only_regular_files_are_replaced_by_files() {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let socket = dir.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for (path, what) in
        [(folder.as_path(), "a folder"), (&socket, "a socket"), (Path::new("/dev/null"), "a device")]
    {
        let error = OutputFile::create(path, Existing::Replace).unwrap_err().to_string();
        assert!(error.starts_with(&format!("this is {what}, but")), "{error}");
    }
    assert_eq!(names(dir.path()), ["folder", "socket"]);
}
