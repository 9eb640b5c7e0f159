//! `learn-annotations`: annotated lines as values set by hand.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::experience_output::ExperienceOutput;
use crate::{
    Context, Flow, Result, catalogue::Stage, flow::only_input, learning::learn_annotations,
    recipe::read_settings,
};

/// Settings of `learn-annotations`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnAnnotationsSettings {
    /// The experience file; left out, it serves this run alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Experience to go on from.
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    pub old: Option<PathBuf>,
}

/// Takes marks as values.
pub struct LearnAnnotations {
    settings: LearnAnnotationsSettings,
}

impl LearnAnnotations {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        Ok(Self { settings: read_settings(section, settings)? })
    }
}

impl Stage for LearnAnnotations {
    fn note(&self) -> String {
        "the last mark of a move".into()
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.settings.output.iter().cloned().collect()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = only_input!(inputs, Observations);
        let output = ExperienceOutput::create(context, self.settings.output.as_deref())?;
        learn_annotations(context, &stream, self.settings.old.as_ref(), output.path())?;
        Ok(output.finish(context))
    }
}
