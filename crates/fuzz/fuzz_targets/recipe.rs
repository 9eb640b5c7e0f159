//! Any text as a recipe: planned and drawn, or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pipeline::recipe::{Plan, Recipe};

fuzz_target!(|text: &str| {
    if let Ok(plan) = Recipe::parse(text).and_then(|recipe| Plan::new(&recipe)) {
        assert!(!plan.to_string().is_empty());
    }
});
