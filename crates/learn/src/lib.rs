//! What games teach a book: Crafty's learning, own results, values set by hand.
