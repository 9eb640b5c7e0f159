//! A GUI that says what a test wants, and an engine that a test has written.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use crate::workbench::Workbench;

/// Long enough for any answer on a busy machine: a player that hangs fails the test all the same.
const PATIENCE: Duration = Duration::from_mins(1);

/// A GUI with a running player.
pub(crate) struct Gui {
    player: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    /// Starts `tabia uci`.
    pub(crate) fn start(bench: &Workbench, arguments: &[&str]) -> Self {
        let mut player = Command::new(assert_cmd::cargo::cargo_bin!("tabia"))
            .arg("uci")
            .args(arguments)
            .current_dir(bench.path("."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = player.stdin.take();
        let output = BufReader::new(player.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { player, input, lines }
    }

    /// As [`Self::start`], with an engine that answers `go` by `answer`; `uci` has been answered.
    pub(crate) fn with_engine(bench: &Workbench, name: &str, answer: &str, arguments: &[&str]) -> Self {
        write_engine(bench, name, answer);
        let engine = format!("sh {name}");
        let mut gui = Self::start(bench, &[arguments, &["--engine", &engine]].concat());
        gui.ask("uci", "uciok");
        gui
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) {
        // A player that has ended does not listen; what it said is checked then.
        let _ = writeln!(self.input.as_mut().unwrap(), "{line}");
    }

    /// Says a line, and hears the answer: all lines up to one that begins with `end`.
    pub(crate) fn ask(&mut self, line: &str, end: &str) -> Vec<String> {
        self.say(line);
        self.hear(end)
    }

    /// All lines up to one that begins with `end`.
    pub(crate) fn hear(&mut self, end: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("no `{end}` ({error}) in {heard:#?}"),
            }
            if heard.last().is_some_and(|line| line.starts_with(end)) {
                return heard;
            }
        }
    }

    /// The move that the player answers with.
    pub(crate) fn best_move(&mut self, go: &str) -> String {
        let heard = self.ask(go, "bestmove");
        heard.last().unwrap().split_whitespace().nth(1).unwrap().to_owned()
    }

    /// Sends the player a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.player.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Kills the player.
    pub(crate) fn kill(mut self) {
        self.player.kill().unwrap();
        self.player.wait().unwrap();
    }

    /// Closes the GUI's side; how the player ends, and all that it still says on both streams.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        self.input = None;
        let status = self.player.wait().unwrap();
        let lines = self.lines.iter().collect();
        let error = std::io::read_to_string(self.player.stderr.take().unwrap()).unwrap();
        (status, lines, error)
    }
}

/// Writes an engine, a shell script that `sh NAME` runs. It answers `go` by `answer`, which may use `$score`,
/// set by the option `Score`, and `$n`, the number of its searches in this game; what it
/// hears is in `NAME.heard`.
pub(crate) fn write_engine(bench: &Workbench, name: &str, answer: &str) {
    let script = format!(
        r#"n=0; score=0
while read -r word rest; do
  echo "$word $rest" >> {name}.heard
  case "$word" in
    uci) echo "id name Scripted"; echo "option name Score type spin default 0 min -999 max 999"
         echo "option name OwnBook type check default true"; echo uciok ;;
    isready) echo readyok ;;
    ucinewgame) n=0 ;;
    setoption) case "$rest" in "name Score value"*) score=${{rest##* }} ;; esac ;;
    go) {answer}
        n=$((n + 1)) ;;
    stop) echo "bestmove a2a3" ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    bench.write(name, script);
}

/// What an engine heard, line by line.
pub(crate) fn heard(bench: &Workbench, name: &str) -> Vec<String> {
    let text = bench.text(&format!("{name}.heard"));
    text.lines().map(|line| line.trim().to_owned()).collect()
}
