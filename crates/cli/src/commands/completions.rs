//! `tabia completions`: the script by which a shell asks the binary for words.

use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};

use crate::{
    args::{CompletionsArgs, Shell},
    terminal,
};

/// The variable by which a shell asks for words.
pub(crate) const ASKED: &str = "COMPLETE";

/// `tabia completions`.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let shell: &dyn EnvCompleter = match args.shell {
        Shell::Bash => &Bash,
        Shell::Zsh => &Zsh,
        Shell::Fish => &Fish,
    };
    Ok(shell.write_registration(ASKED, "tabia", "tabia", "tabia", &mut terminal::stdout())?)
}
