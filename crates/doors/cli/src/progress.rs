//! Progress on stderr, drawn by indicatif and only on a terminal.

use std::{
    io::{IsTerminal, Write as _, stderr},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use run::Progress;

const TICK: Duration = Duration::from_millis(100);

/// Shows `progress` until dropped.
pub(crate) struct Display {
    stop: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl Display {
    /// Starts drawing if stderr is a terminal and progress is `wanted`.
    pub(crate) fn start(progress: &Arc<Progress>, wanted: bool) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let drawing = (wanted && stderr().is_terminal()).then_some(()).and_then(|()| {
            let (progress, stop) = (Arc::clone(progress), Arc::clone(&stop));
            // If no thread can be started, the run continues without a bar.
            thread::Builder::new().spawn(move || draw(&progress, &stop)).ok()
        });
        Self { stop, drawing }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(drawing) = self.drawing.take() {
            // If the thread that draws the progress has panicked, there is nothing to clean up.
            let _ = drawing.join();
        }
    }
}

/// Reports that another command holds the lock of `output`.
pub(crate) fn report_waiting(output: &Path) {
    let mut err = stderr().lock();
    // The bar is drawn again below the printed line.
    let clear = if err.is_terminal() { "\r\x1b[2K" } else { "" };
    let output = output.display();
    // Without stderr, nothing can be reported.
    let _ = writeln!(
        err,
        "{clear}tabia: {output}: another command is writing to it; waiting until it is done (Ctrl-C to stop)"
    );
}

fn draw(progress: &Progress, stop: &AtomicBool) {
    let bar = ProgressBar::new_spinner();
    bar.set_style(one_line());
    let start = Instant::now();
    while !stop.load(Relaxed) {
        if !progress.phase().is_empty() {
            bar.set_message(line(progress, start.elapsed()));
        }
        thread::sleep(TICK);
    }
    bar.finish_and_clear();
}

/// Shows the progress as text only, without indicatif's own bar. The text is cut off at the edge of the
/// terminal, because a wrapped line could not be cleared.
fn one_line() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// Describes the progress of a run in one line. While games are read, the bar counts bytes of input; in later
/// phases it counts shards, records or walks. The least important part is written last, because the end may
/// be cut off.
fn line(progress: &Progress, elapsed: Duration) -> String {
    let phase = progress.phase();
    let (done, steps) = (progress.steps_done.load(Relaxed), progress.steps_total.load(Relaxed));
    if steps > 0 {
        let (bar, left) = (drawn(done, steps), left(done, steps, progress.of_phase()));
        let (done, of) = (HumanCount(done), HumanCount(steps));
        let unit = progress.unit();
        return format!("{phase} {bar} {done}/{of} {unit}{left}");
    }
    let (read, total) = (progress.bytes_done.load(Relaxed), progress.bytes_total.load(Relaxed));
    let mut text = if total == 0 {
        format!("{phase} {}", HumanBytes(read))
    } else {
        let percent = (read.min(total) * 100).checked_div(total).unwrap_or(0);
        format!("{phase} {} {percent:>3} %{}", drawn(read, total), left(read, total, elapsed))
    };
    let games = progress.games.load(Relaxed);
    let mut add = |part: String| text.push_str(&part);
    if games > 0 {
        add(format!(", {} games, {}/s", HumanCount(games), HumanCount(rate(games, elapsed))));
    }
    let (rejected, spilled) = (progress.rejected.load(Relaxed), progress.spilled_bytes.load(Relaxed));
    if spilled > 0 {
        add(format!(", {} spilled", HumanBytes(spilled)));
    }
    if rejected > 0 {
        add(format!(", {} rejected", HumanCount(rejected)));
    }
    text
}

/// Draws a bar that is twenty columns wide.
fn drawn(done: u64, of: u64) -> String {
    let columns = (done.min(of) * 20).checked_div(of).unwrap_or(0) as usize;
    let head = if columns < 20 { ">" } else { "" };
    format!("[{:20}]", format!("{}{head}", "=".repeat(columns)))
}

/// Estimates the remaining time from the speed so far, such as `, 8 s left` or `, 3:20 left`.
fn left(done: u64, of: u64, elapsed: Duration) -> String {
    if done == 0 || elapsed < Duration::from_secs(1) {
        return String::new();
    }
    let seconds = u128::from(of.saturating_sub(done)) * elapsed.as_millis() / u128::from(done) / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!(", {seconds} s left"),
        (0, minutes, seconds) => format!(", {minutes}:{seconds:02} left"),
        (hours, minutes, _) => format!(", {hours} h {minutes:02} min left"),
    }
}

fn rate(games: u64, elapsed: Duration) -> u64 {
    let milliseconds = elapsed.as_millis().max(1);
    u64::try_from(u128::from(games) * 1000 / milliseconds).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_count_has_eighty_columns() {
        let progress = Progress::default();
        progress.enter("reading", 0);
        progress.bytes_done.store(15_000_000_000, Relaxed);
        progress.bytes_total.store(30_000_000_000, Relaxed);
        progress.games.store(45_678_901, Relaxed);
        let text = line(&progress, Duration::from_secs(200));
        assert_eq!(text, "reading [==========>         ]  50 %, 3:20 left, 45,678,901 games, 228,394/s");
        assert!(text.len() <= 80);
        progress.spilled_bytes.store(3 << 30, Relaxed);
        progress.rejected.store(1234, Relaxed);
        assert!(line(&progress, TICK).ends_with("/s, 3.00 GiB spilled, 1,234 rejected"));
    }

    #[test]
    fn the_line_of_a_phase_counts_its_steps() {
        let progress = Progress::default();
        progress.enter_steps("walking the book", 1_000_000, "positions");
        progress.steps_done(1_000_000);
        let text = line(&progress, TICK);
        assert_eq!(text, "walking the book [====================] 1,000,000/1,000,000 positions");
        assert!(
            drawn(0, 16) == "[>                   ]"
                && left(1, 7201, Duration::from_secs(1)) == ", 2 h 00 min left"
        );
    }
}
