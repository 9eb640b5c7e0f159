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

use build::Progress;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

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
            // Where the system gives no thread, the run goes on without a bar.
            thread::Builder::new().spawn(move || draw(&progress, &stop)).ok()
        });
        Self { stop, drawing }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(drawing) = self.drawing.take() {
            // A drawing thread that panicked has nothing to clean up.
            let _ = drawing.join();
        }
    }
}

/// Reports that another command has the lock of `output`.
pub(crate) fn report_waiting(output: &Path) {
    let mut err = stderr().lock();
    // The bar is drawn again below the line.
    let clear = if err.is_terminal() { "\r\x1b[2K" } else { "" };
    let output = output.display();
    // Without stderr there is no place to report it.
    let _ = writeln!(
        err,
        "{clear}tabia: {output}: another command is writing it; waiting until it is done (Ctrl-C stops)"
    );
}

fn draw(progress: &Progress, stop: &AtomicBool) {
    let bar = ProgressBar::new(0);
    let start = Instant::now();
    while !stop.load(Relaxed) {
        update(&bar, progress, start);
        thread::sleep(TICK);
    }
    bar.finish_and_clear();
}

/// While games are read the bar counts bytes of input; in later phases it counts their
/// steps: shards, records, walks.
fn update(bar: &ProgressBar, progress: &Progress, start: Instant) {
    let steps = progress.steps_total.load(Relaxed);
    if steps > 0 {
        bar.set_style(style("{msg} [{bar:30}] {human_pos}/{human_len} {prefix}"));
        bar.set_length(steps);
        bar.set_position(progress.steps_done.load(Relaxed));
        bar.set_prefix(progress.unit());
        bar.set_message(progress.phase());
        return;
    }
    let total = progress.bytes_total.load(Relaxed);
    let template = if total > 0 {
        "{msg} [{bar:30}] {bytes}/{total_bytes} ETA {eta}"
    } else {
        "{msg} {spinner} {bytes}"
    };
    bar.set_style(style(template));
    bar.set_length(total);
    bar.set_position(progress.bytes_done.load(Relaxed));
    bar.set_message(message(progress, start));
}

#[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "a rate for people, never negative")]
fn message(progress: &Progress, start: Instant) -> String {
    let games = progress.games.load(Relaxed);
    let rate = games as f64 / start.elapsed().as_secs_f64().max(0.001);
    let (rejected, spilled) = (progress.rejected.load(Relaxed), progress.spilled_bytes.load(Relaxed));
    format!(
        "{} {} games, {}/s, {} rejected, {} spilled",
        progress.phase(),
        HumanCount(games),
        HumanCount(rate as u64),
        HumanCount(rejected),
        HumanBytes(spilled)
    )
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}
