//! What is linked into Tabia: licences that the GPL can be combined with, and one version of each crate.
//!
//! `deny.toml` has the lists; `make deny` checks them with cargo-deny, which reads licence texts, too.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::layout::read_toml;

/// The strings of an array of strings.
fn strings(array: &toml::Value) -> BTreeSet<&str> {
    array.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Every package that is compiled on the platforms of `deny.toml`, those of all features too: what is not
/// compiled by default is downloaded for it.
fn packages() -> Vec<Value> {
    let deny = read_toml("deny.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    for target in strings(&deny["graph"]["targets"]) {
        cargo.args(["--filter-platform", target]);
    }
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether the licences in `allowed` are enough for an expression, and those that it names. `/` is an old way
/// to write `OR`.
fn satisfied(text: &str, allowed: &BTreeSet<&str>) -> (bool, BTreeSet<String>) {
    let expression = Expression::parse_mode(text, ParseMode::LAX).unwrap_or_else(|error| panic!("{error}"));
    let satisfied = expression.evaluate(|licence| allowed.contains(licence.to_string().as_str()));
    (satisfied, expression.requirements().map(|licence| licence.req.to_string()).collect())
}

#[test]
fn licence_expressions_are_read_as_meant() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for (text, expected) in [
        ("MIT", true),
        ("GPL-2.0-only", false),
        ("GPL-2.0-only OR MIT", true),
        ("GPL-2.0-only/MIT", true),
        ("GPL-2.0-only AND MIT", false),
        ("GPL-2.0-only AND ISC OR MIT", true),
        ("GPL-2.0-only AND (ISC OR MIT)", false),
        ("(ISC OR MIT) AND Zlib", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0", false),
    ] {
        assert_eq!(satisfied(text, &allowed).0, expected, "{text}");
    }
}

#[test]
fn licences_can_be_combined_with_the_gpl() {
    let deny = read_toml("deny.toml");
    let allowed = strings(&deny["licenses"]["allow"]);
    let mut found = BTreeSet::new();
    for package in packages() {
        let license = package["license"].as_str();
        let license = license.unwrap_or_else(|| panic!("{} names no licence", package["name"]));
        let (enough, identifiers) = satisfied(license, &allowed);
        assert!(enough, "{} {}: {license} is not allowed", package["name"], package["version"]);
        found.extend(identifiers);
    }
    let idle: Vec<_> = allowed.iter().filter(|&&allowed| !found.contains(allowed)).collect();
    assert!(idle.is_empty(), "no package has these licences: {idle:?}");
}

#[test]
fn there_is_one_version_of_each_crate() {
    let deny = read_toml("deny.toml");
    let mut skipped = BTreeMap::new();
    for skip in deny["bans"]["skip"].as_array().unwrap() {
        let (name, version) = skip["crate"].as_str().unwrap().split_once(':').unwrap();
        assert!(!skip["reason"].as_str().unwrap().is_empty(), "{name} {version}");
        skipped.insert((name.to_owned(), version.to_owned()), false);
    }
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    for package in packages() {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap().to_owned());
        let skip = skipped
            .iter_mut()
            .find(|((skipped, prefix), _)| *skipped == name && version.starts_with(&format!("{prefix}.")));
        match skip {
            Some((_, found)) => *found = true,
            None => versions.entry(name).or_default().push(version),
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "several versions: {versions:?}");
    skipped.retain(|_, found| !*found);
    assert!(skipped.is_empty(), "skipped in deny.toml and not there: {:?}", skipped.keys());
}

/// A minor version of 0.x may break its users, so `0` alone is no requirement.
#[test]
fn requirements_name_a_compatible_series() {
    let manifest = read_toml("Cargo.toml");
    for (name, dependency) in manifest["workspace"]["dependencies"].as_table().unwrap() {
        let version = dependency.as_str().or_else(|| dependency.get("version")?.as_str());
        let version = version.unwrap_or_else(|| panic!("{name} names no version"));
        let numbers: Vec<u64> = version.split('.').map(|number| number.parse().unwrap()).collect();
        assert!(numbers[0] > 0 || numbers.len() >= 2, "{name} = {version:?}");
    }
}
