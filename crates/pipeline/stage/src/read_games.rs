//! `read-games` splits inputs into chunks of whole games.

use std::{path::Path, sync::Arc};

use games::ReadGames;
use run::{Context, Result, SettingError};

use crate::{Flow, Inputs, Parallelism, Port, Signature, Stage};

impl Stage for ReadGames {
    fn signature(&self) -> Signature {
        Signature::new(&[], Port::Games, Parallelism::Parallel)
    }

    fn note(&self) -> String {
        let limit = self.options.limit.map_or(String::new(), |games| format!(", the first {games} games"));
        format!("{}{limit}", self.paths.join(" "))
    }

    fn reads(&self) -> Vec<&Path> {
        self.paths.iter().map(Path::new).collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        ReadGames::check(self)
    }

    fn run(&self, _: &Context, name: &str, _: Vec<Flow>) -> Result<Flow> {
        Ok(Flow::Games(Arc::new((name.to_owned(), self.clone()))))
    }
}
