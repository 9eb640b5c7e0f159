//! Chooses an artefact for each path of Lichess's explorer, to answer requests that name no artefact.

use std::path::Path;

use crate::{
    Artefacts, Error, NamedPath, Result,
    artefacts::{ArtefactKind, OpenArtefact},
};

/// A database of Lichess. Each database has its own path, and its own option, which chooses the artefact from
/// which requests to this path are answered.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Database {
    /// Games of masters.
    Masters,
    /// Games of Lichess.
    Lichess,
    /// Games of one player.
    Player,
}

impl Database {
    /// All databases.
    pub const ALL: [Self; 3] = [Self::Masters, Self::Lichess, Self::Player];

    /// The name of the database, which is also the name of its option and of its path.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Masters => "masters",
            Self::Lichess => "lichess",
            Self::Player => "player",
        }
    }

    /// Why requests for this database cannot be answered from an artefact; `None` if they can.
    pub(crate) fn objection(self, opened: &OpenArtefact) -> Option<&'static str> {
        if opened.kind == ArtefactKind::Polyglot {
            Some("a Polyglot book has no counts: it answers below /tabia/ only")
        } else if self == Self::Player && !opened.counted.by.player_color {
            Some("only a table that was counted with --player and --by player-color answers /player")
        } else {
            None
        }
    }
}

/// For some databases, the name of the artefact from which requests are answered. Requests for the other
/// databases are answered from the default artefact.
#[derive(Clone, Debug, Default)]
pub struct Endpoints(Vec<(Database, String)>);

impl Endpoints {
    /// Chooses the artefact from which requests for a database are answered. `given` is the name of a served
    /// artefact, or a path. If the artefact is not yet in the list `served`, it is added there.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NoArtefact`] if `given` is neither a name nor a path.
    pub fn give(&mut self, database: Database, given: &Path, served: &mut Vec<NamedPath>) -> Result<()> {
        let is_it = |named: &&NamedPath| Path::new(&named.name) == given;
        let known = served.iter().find(is_it).or_else(|| served.iter().find(|named| named.path == given));
        let name = if let Some(named) = known {
            named.name.clone()
        } else if given.exists() {
            let named = NamedPath::after(given, served);
            served.push(named.clone());
            named.name
        } else {
            let names: Vec<_> = served.iter().map(|named| format!("`{}`", named.name)).collect();
            let served = if names.is_empty() { "nothing else".into() } else { names.join(", ") };
            let given = given.display().to_string();
            return Err(Error::NoArtefact { option: database.name(), given, served });
        };
        self.0.push((database, name));
        Ok(())
    }

    /// The name of the artefact from which requests for a database are answered; `None` for the default
    /// artefact.
    pub(crate) fn of(&self, database: Database) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == database).map(|(_, name)| name.as_str())
    }

    /// Checks that requests for each database can be answered from the artefact that was chosen for it.
    ///
    /// # Errors
    ///
    /// [`Error::CannotAnswer`].
    pub fn check(&self, artefacts: &Artefacts) -> Result<()> {
        for (database, name) in &self.0 {
            let opened = artefacts.get(Some(name));
            if let Some(why) = opened.and_then(|opened| database.objection(&opened)) {
                return Err(Error::CannotAnswer { option: database.name(), name: name.clone(), why });
            }
        }
        Ok(())
    }
}
