//! Reads the question in a request, and answers it from an artefact. Limits how many questions are answered
//! at the same time.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{FromRequestParts, RawPathParams, rejection::RawPathParamsRejection},
    http::{StatusCode, request::Parts},
    response::Response,
};
use query::View;
use tokio::{task::spawn_blocking, time::timeout};

use crate::{
    Result, answer::Refusal, artefacts::OpenArtefact, asked::QueryFields, shared::Shared,
    taught::LoadedExperience,
};

/// The longest time that a request waits while the maximum number of requests is being answered.
const PLACE: Duration = Duration::from_secs(5);
/// The server makes fewer attempts than this to answer a question. It makes another attempt only if a table
/// was replaced during the last attempt.
const ATTEMPTS: usize = 20;

impl Shared {
    /// Answers a question from an artefact and its experience.
    fn ask(
        &self,
        opened: &OpenArtefact,
        (asked, id): (&QueryFields, &str),
        question: impl Fn(&QuestionContext<'_>) -> Result<Response, Refusal>,
    ) -> Result<Response, Refusal> {
        let taught = self.taught(opened);
        question(&QuestionContext { shared: self, opened, taught: taught.as_deref(), asked, id })
    }
}

/// A question about an artefact.
pub(crate) struct Question {
    /// The name of the artefact; `None` for the default one.
    name: Option<String>,
    /// The id of the game that the request's path names.
    id: Option<String>,
    pub(crate) asked: QueryFields,
}

impl Question {
    /// Directs the question to the artefact `name`, unless the question already names an artefact.
    pub(crate) fn or(self, name: Option<&str>) -> Self {
        Self { name: self.name.or_else(|| name.map(str::to_owned)), ..self }
    }

    /// The artefact that the question is about.
    pub(crate) fn artefact(&self, shared: &Shared) -> Result<Arc<OpenArtefact>, Refusal> {
        shared.artefacts.get(self.name.as_deref()).ok_or_else(|| {
            let name = self.name.as_deref().unwrap_or_default();
            let why = format!("no artefact is served under the name `{name}`");
            Refusal::new(StatusCode::NOT_FOUND, why)
        })
    }
}

/// The data needed to answer a question.
pub(crate) struct QuestionContext<'d> {
    pub(crate) shared: &'d Shared,
    pub(crate) opened: &'d OpenArtefact,
    pub(crate) taught: Option<&'d LoadedExperience>,
    pub(crate) asked: &'d QueryFields,
    /// The id of the requested game; empty if the question is not about a game.
    pub(crate) id: &'d str,
}

impl<'d> QuestionContext<'d> {
    /// The artefact, with its own experience unless an experience file replaces it.
    pub(crate) fn view(&self) -> View<'d> {
        let view = View::of(&self.opened.artefact);
        self.taught.map_or(view, |taught| view.with_experience(&taught.rows, &taught.sources))
    }

    /// Another artefact that the request names.
    pub(crate) fn other(&self, field: &str) -> Result<Option<Arc<OpenArtefact>>, Refusal> {
        let Some(name) = self.asked.text(field) else { return Ok(None) };
        let found = self.shared.artefacts.get(Some(name));
        found
            .map(Some)
            .ok_or_else(|| Refusal::bad(format!("{field}: no artefact is served under the name `{name}`")))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Question {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let params = match RawPathParams::from_request_parts(parts, state).await {
            Ok(params) => Some(params),
            Err(RawPathParamsRejection::InvalidUtf8InPathParam(_)) => {
                let why = "no artefact is served under a name that is not UTF-8";
                return Err(Refusal::new(StatusCode::NOT_FOUND, why).json());
            }
            Err(_) => None,
        };
        let of_path = |wanted: &str| {
            let found = params.iter().flatten().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value.to_owned())
        };
        let (name, id) = (of_path("artefact"), of_path("id"));
        Ok(Self { name, id, asked: QueryFields::read(&parts.uri).map_err(Refusal::json)? })
    }
}

/// The amount of work that an answer takes.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Work {
    /// One or two look-ups.
    LookUp,
    /// A search, which may take many look-ups.
    Search,
}

/// Answers a question, on this thread if that takes only microseconds, otherwise on a thread that may wait
/// for the disk.
pub(crate) async fn answer(
    shared: Arc<Shared>,
    question: Question,
    work: Work,
    answer: impl Fn(&QuestionContext<'_>) -> Result<Response, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    // Requests are admitted in the order in which they arrive, so a question that is quick to answer may have
    // to wait briefly for slow ones.
    let Ok(Ok(_place)) = timeout(PLACE, Arc::clone(&shared.places).acquire_owned()).await else {
        let why = "too many requests at once";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why).wait(PLACE));
    };
    let opened = question.artefact(&shared)?;
    let (asked, id) = (question.asked, question.id.unwrap_or_default());
    if work == Work::LookUp && opened.is_quick() {
        return shared.ask(&opened, (&asked, &id), answer);
    }
    let failed = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed");
    let job = Arc::clone(&shared.jobs).acquire_owned().await.map_err(|_| failed())?;
    let answered = spawn_blocking(move || {
        let _job = job;
        let mut opened = opened;
        for _ in 1..ATTEMPTS {
            match shared.ask(&opened, (&asked, &id), &answer) {
                Err(refusal) if refusal.is_replaced => {}
                answered => return answered,
            }
            shared.refresh();
            opened = shared.artefacts.get(Some(&opened.name)).ok_or_else(failed)?;
        }
        Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the table is replaced again and again"))
    });
    answered.await.map_err(|_| failed())?
}
