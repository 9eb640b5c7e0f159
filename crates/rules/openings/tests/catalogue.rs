//! Compares the list of named positions with the catalogue that it is made of.

use openings::Openings;

#[path = "../examples/named_keys.rs"]
#[expect(dead_code, reason = "the example's main")]
mod named_keys;

#[test]
fn every_position_that_the_catalogue_names_is_in_the_list() {
    let named = named_keys::named_keys();
    assert_eq!(named.len(), esca::openings::count());
    assert!(Openings::bundled().keys().eq(named.iter().copied()), "src/named.keys is to be written anew");
}
