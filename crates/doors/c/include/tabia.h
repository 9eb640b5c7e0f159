// Tabia's books in C and C++. Written by cbindgen from crates/doors/c/src/lib.rs; docs/c.md describes it.

#ifndef TABIA_H
#define TABIA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// An array of this length has room for all moves of any position.
#define TABIA_MOVES_MAX 256

// What a function returns.
typedef enum TabiaStatus {
  // Done.
  TABIA_STATUS_OK = 0,
  // The position is not in the book, or the policy has no move to choose. Not an error.
  TABIA_STATUS_NONE = 1,
  // The call failed; `tabia_error` returns the reason.
  TABIA_STATUS_FAILED = 2,
} TabiaStatus;

// An open book, table or Polyglot book. Any number of threads may read one book at the same time.
typedef struct TabiaBook TabiaBook;

// One move of a position.
typedef struct TabiaMove {
  // The move in UCI notation, as a string that ends with a zero byte. Castling is written as a two-square
  // king move. In a probe by key, `e1h1`, `e1a1`, `e8h8` and `e8a8` are assumed to be castling unless a
  // table says otherwise.
  char uci[6];
  // The move in Polyglot's sixteen-bit encoding.
  uint16_t bits;
  // The move's weight. In a Polyglot book, this is the stored weight; otherwise, it is the weight that
  // `tabia export polyglot` writes by default.
  uint16_t weight;
  // The number of games that White won. Like the next two numbers, it is 0 in a Polyglot book.
  uint64_t white;
  // Games drawn.
  uint64_t draws;
  // Games that Black won.
  uint64_t black;
  // The score of the side to move, from 0 to 1; negative if unknown.
  double score;
  // The probability, 0 to 1, with which the policy picked the move; 0 if the move comes from a probe.
  double probability;
} TabiaMove;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a book, a table or a Polyglot book, and stores its address in `*book`; `tabia_close` frees it.
//
// # Safety
//
// `path` is a string, and `book` points to memory for a pointer.
enum TabiaStatus tabia_open(const char *path, struct TabiaBook **book);

// Closes a book; does nothing for a null pointer.
//
// # Safety
//
// `book` is open, and no thread uses it any more.
void tabia_close(struct TabiaBook *book);

// Computes the key of the position in `fen`, or of the start position if `fen` is null.
//
// # Safety
//
// `fen` is a string or null, and `key` points to memory for a number.
enum TabiaStatus tabia_key(const char *fen, uint64_t *key);

// Finds the legal moves that a book has in the position `fen`, or in the start position if `fen` is null.
// The most played moves come first; the moves of a Polyglot book keep the book's order. Writes the first
// `room` moves to `moves`, which may be null if `room` is 0, and the total number of moves to `*count`.
// Returns `TABIA_STATUS_NONE` if the position is not in the book.
//
// # Safety
//
// `book` is open, and `fen` is a string or null. `moves` points to memory for `room` moves, and `count`
// points to memory for a number.
enum TabiaStatus tabia_probe(const struct TabiaBook *book,
                             const char *fen,
                             struct TabiaMove *moves,
                             size_t room,
                             size_t *count);

// Like `tabia_probe`, but for a key. There is no board, so the moves are not tested for legality.
//
// # Safety
//
// As `tabia_probe`.
enum TabiaStatus tabia_probe_key(const struct TabiaBook *book,
                                 uint64_t key,
                                 struct TabiaMove *moves,
                                 size_t room,
                                 size_t *count);

// Chooses a move at random, with the probabilities that a policy assigns to the moves in the position `fen`,
// or in the start position if `fen` is null. `settings` is null or lists the policy's settings as
// `name=value`, separated by whitespace. The same seed always gives the same move. Returns
// `TABIA_STATUS_NONE` if the policy has no move to choose.
//
// # Safety
//
// `book` is open, `policy` is a string, `fen` and `settings` are strings or null, and `picked` points to
// memory for a move.
enum TabiaStatus tabia_pick(const struct TabiaBook *book,
                            const char *fen,
                            const char *policy,
                            const char *settings,
                            uint64_t seed,
                            struct TabiaMove *picked);

// The message of the last error on this thread; empty if no call has failed. The string stays valid until
// the next call on this thread.
const char *tabia_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TABIA_H */
