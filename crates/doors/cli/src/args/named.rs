//! Values that are chosen by name.

use std::{error::Error, str::FromStr};

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser that accepts the names of the values in `all`.
pub(crate) fn one_of<T>(all: &[T]) -> impl TypedValueParser<Value = T>
where
    T: Copy + FromStr<Err: Error + Send + Sync + 'static> + Into<&'static str> + Send + Sync + 'static,
{
    let names = all.iter().map(|&one| -> &'static str { one.into() });
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}
