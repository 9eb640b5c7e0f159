// Reads one book from eight threads at a time, by FEN, by key and by a policy; exits 1 if one sees anything
// else than the first reading. Errors are texts of the thread that met them.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tabia.h"

enum { THREADS = 8, ROUNDS = 2000 };

static TabiaBook *book;
static TabiaMove expected[TABIA_MOVES_MAX];
static size_t expected_count;
static TabiaMove expected_pick;

// Whether two moves are the same in all that they say.
static int same(const TabiaMove *a, const TabiaMove *b) {
    return !strcmp(a->uci, b->uci) && a->bits == b->bits && a->weight == b->weight && a->white == b->white
        && a->draws == b->draws && a->black == b->black && a->score == b->score
        && a->probability == b->probability;
}

// Whether every reading is the first one, and an error of this thread its own.
static void *read_often(void *wrong_policy) {
    for (int round = 0; round < ROUNDS; round++) {
        TabiaMove moves[TABIA_MOVES_MAX], picked;
        size_t count;
        uint64_t key;
        if (tabia_probe(book, NULL, moves, TABIA_MOVES_MAX, &count) != TABIA_STATUS_OK) return "probe";
        if (count != expected_count) return "count";
        for (size_t at = 0; at < count; at++) {
            if (!same(&moves[at], &expected[at])) return "moves";
        }
        if (tabia_key(NULL, &key) != TABIA_STATUS_OK) return "key";
        if (tabia_probe_key(book, key, NULL, 0, &count) != TABIA_STATUS_OK) return "probe_key";
        if (count != expected_count) return "count by key";
        if (tabia_pick(book, NULL, "polyglot", NULL, 7, &picked) != TABIA_STATUS_OK) return "pick";
        if (!same(&picked, &expected_pick)) return "picked";
        if (tabia_pick(book, NULL, wrong_policy, NULL, 7, &picked) != TABIA_STATUS_FAILED) return "no error";
        if (!strstr(tabia_error(), wrong_policy)) return "error of another thread";
    }
    return NULL;
}

// What a caller may get wrong is an error, and no fault.
static int misuse(void) {
    TabiaBook *none = NULL;
    TabiaMove move;
    size_t count;
    tabia_close(NULL);
    return tabia_open(NULL, &none) == TABIA_STATUS_FAILED
        && tabia_open("/nothing/here", &none) == TABIA_STATUS_FAILED && none == NULL
        && tabia_probe(NULL, NULL, &move, 1, &count) == TABIA_STATUS_FAILED
        && tabia_probe(book, NULL, NULL, 1, &count) == TABIA_STATUS_FAILED
        && tabia_probe(book, NULL, &move, 1, NULL) == TABIA_STATUS_FAILED
        && tabia_probe(book, "rubbish", &move, 1, &count) == TABIA_STATUS_FAILED
        && tabia_probe(book, "\xff", &move, 1, &count) == TABIA_STATUS_FAILED
        && tabia_pick(book, NULL, NULL, NULL, 7, &move) == TABIA_STATUS_FAILED
        && tabia_pick(book, NULL, "polyglot", "rubbish", 7, &move) == TABIA_STATUS_FAILED
        && tabia_probe_key(book, 1, &move, 1, &count) == TABIA_STATUS_NONE && count == 0
        && tabia_probe(book, NULL, &move, 1, &count) == TABIA_STATUS_OK && count == expected_count;
}

int main(int argc, char **argv) {
    if (argc != 2 || tabia_open(argv[1], &book) != TABIA_STATUS_OK) return 2;
    if (tabia_probe(book, NULL, expected, TABIA_MOVES_MAX, &expected_count) != TABIA_STATUS_OK) return 2;
    if (tabia_pick(book, NULL, "polyglot", NULL, 7, &expected_pick) != TABIA_STATUS_OK) return 2;
    static char *policies[THREADS] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
    pthread_t threads[THREADS];
    for (int at = 0; at < THREADS; at++) pthread_create(&threads[at], NULL, read_often, policies[at]);
    int code = 0;
    for (int at = 0; at < THREADS; at++) {
        void *wrong = NULL;
        pthread_join(threads[at], &wrong);
        if (wrong) {
            fprintf(stderr, "thread %d: %s\n", at, (char *)wrong);
            code = 1;
        }
    }
    if (!misuse()) {
        fprintf(stderr, "misuse was not an error: %s\n", tabia_error());
        code = 1;
    }
    tabia_close(book);
    return code;
}
