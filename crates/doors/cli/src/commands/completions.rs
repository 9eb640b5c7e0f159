//! `tabia completions`: prints the script that lets a shell ask the binary for completions.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};

use crate::{help::examples, terminal};

#[derive(Args)]
#[command(after_help = examples("\
tabia completions bash > ~/.local/share/bash-completion/completions/tabia
tabia completions zsh > ~/.zfunc/_tabia
tabia completions fish > ~/.config/fish/completions/tabia.fish"))]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// A shell that has a completion script.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The environment variable that a shell sets to ask for completions.
pub(crate) const ASKED: &str = "TABIA_COMPLETE";

/// `tabia completions`.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let shell: &dyn EnvCompleter = match args.shell {
        Shell::Bash => &Bash,
        Shell::Zsh => &Zsh,
        Shell::Fish => &Fish,
    };
    let mut out = terminal::stdout();
    shell.write_registration(ASKED, "tabia", "tabia", "tabia", &mut out)?;
    if matches!(args.shell, Shell::Zsh) {
        out.write_all(ZSH_AUTOLOADED.as_bytes())?;
    }
    Ok(())
}

/// When zsh autoloads the script from `$fpath`, it does not read the script until the first completion. With
/// this code at its end, the script also handles that first completion.
const ZSH_AUTOLOADED: &str = "
if [[ $funcstack[1] == _tabia ]]; then
    _clap_dynamic_completer_tabia
fi
";
