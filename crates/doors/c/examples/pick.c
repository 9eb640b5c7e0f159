// What an engine does with a book: opens it once, looks a position up, and draws a move by a policy.
//
//     cargo build --release --locked --manifest-path crates/doors/c/Cargo.toml
//     cc -Icrates/doors/c/include crates/doors/c/examples/pick.c crates/doors/c/target/release/libtabia.a -lm -lpthread -ldl -o pick
//     ./pick book.tabia polyglot 7 [FEN]

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tabia.h"

// Prints why the last call failed.
static int fail(void) {
    fprintf(stderr, "%s\n", tabia_error());
    return EXIT_FAILURE;
}

// Prints the moves of a position.
static int probe(const TabiaBook *book, const char *fen) {
    TabiaMove moves[TABIA_MOVES_MAX];
    size_t count = 0;
    switch (tabia_probe(book, fen, moves, TABIA_MOVES_MAX, &count)) {
    case TABIA_STATUS_OK:
        break;
    case TABIA_STATUS_NONE:
        printf("the position is not in the book\n");
        return EXIT_SUCCESS;
    case TABIA_STATUS_FAILED:
        return fail();
    }
    for (size_t at = 0; at < count; at++) {
        printf("%-5s +%" PRIu64 " =%" PRIu64 " -%" PRIu64 " weight %" PRIu16 " score %.3f\n", moves[at].uci,
               moves[at].white, moves[at].draws, moves[at].black, moves[at].weight, moves[at].score);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: pick BOOK POLICY SEED [FEN]\n"), 2;
    const char *fen = argc > 4 ? argv[4] : NULL;
    TabiaBook *book = NULL;
    if (tabia_open(argv[1], &book) != TABIA_STATUS_OK) return fail();

    int code = probe(book, fen);
    TabiaMove picked;
    switch (tabia_pick(book, fen, argv[2], NULL, strtoull(argv[3], NULL, 10), &picked)) {
    case TABIA_STATUS_OK:
        printf("picked %s, probability %.3f\n", picked.uci, picked.probability);
        break;
    case TABIA_STATUS_NONE:
        printf("nothing to pick\n");
        break;
    case TABIA_STATUS_FAILED:
        code = fail();
    }
    tabia_close(book);
    return code;
}
