/*
 * names: names the frames of a failure by function, file and line.
 *
 * Names come late or never. So the place of a finding on the disk is decided
 * without them, and a finding may later turn out to be a known one (bucket.h).
 */
#ifndef CFUZZ_FINDINGS_NAMES_H
#define CFUZZ_FINDINGS_NAMES_H

#include <sys/types.h>

#include <event2/event.h>
#include <jansson.h>

#include "findings/symbols_client.h"
#include "shared/wire/failure.h"
#include "worker/target/elf.h"

/* Warning for an answer with `blind` set. */
#define NAMES_BLIND \
	"libdw.so.1 (elfutils) is not installed: functions and lines of " \
	"findings have no names"

struct names;
struct pc_table;

/* The target is borrowed, as are the PC tables, in which modules are looked up,
 * too; NULL: none. */
struct names *names_create(struct event_base *base,
	const struct target_info *target, const struct pc_table *modules);
/* Drops open requests without calling `done`. NULL is fine. */
void names_destroy(struct names *names);
/* Modules are looked up in these files, too: paths of worker_result, copied;
 * NULL: none. */
void names_add_paths(struct names *names, const char *paths);

/*
 * Requests the names of all frames. Modules other than the target are looked up
 * in a process that has them loaded; 0: no process. `done` is called from the
 * loop. False: no module was found, or the queue is full; then `done` will not
 * be called.
 */
bool names_ask(struct names *names, const struct failure *failure,
	pid_t process, symbols_done_fn *done, void *arg);

/* Requests the source lines around name `depth` of a frame. */
bool names_ask_source(struct names *names, const struct failure_frame *frame,
	uint32_t depth, pid_t process, symbols_done_fn *done, void *arg);

/* Requests places of any kind, see symbols_ask(). */
bool names_ask_places(struct names *names, const struct symbols_place *places,
	uint32_t n, symbols_done_fn *done, void *arg);

/*
 * The innermost frame of the target, in neither a library nor a sanitizer:
 * returns its number and sets *depth to the number of the name in it. Returns
 * frames_n if there is none. answer may be NULL.
 */
uint32_t names_own_frame(const struct failure *failure,
	const struct symbols_answer *answer, uint32_t *depth);

/*
 * The frame of names_own_frame() as "read_tile tiles.c:118", or without a name
 * as "target+0x1234"; cleaned, cut at size - 1 bytes. False: there is no such
 * frame, and buf is unchanged.
 */
bool names_where(const struct failure *failure,
	const struct symbols_answer *answer, char *buf, size_t size);

/* As names_where(), or else the innermost frame as module and offset; "": no
 * frames. */
void names_spot(const struct failure *failure,
	const struct symbols_answer *answer, char *buf, size_t size);

/*
 * Is it the same failure, in builds with different addresses? Compares kind and
 * what; and the function, if both have names.
 */
bool names_same(const struct failure *a, const struct symbols_answer *a_names,
	const struct failure *b, const struct symbols_answer *b_names);

/* Are the failures in two functions, by the debug information of both? A symbol
 * table alone does not tell: it does not know what is inlined. */
bool names_differ(const struct failure *a, const struct symbols_answer *a_names,
	const struct failure *b, const struct symbols_answer *b_names);

/* Is the k-th name of a frame in the C library or a sanitizer? k may be larger
 * than the number of names. */
bool names_is_library(const struct failure *failure,
	const struct symbols_answer *answer, uint32_t frame, uint32_t k);

/* Returns a new array for crash.json; answer may be NULL. */
json_t *names_frames(const struct failure *failure,
	const struct symbols_answer *answer);

/*
 * Reads such an array, which is not trusted, into the failure's frames. The
 * caller destroys the answer. NULL: the array has no names.
 */
struct symbols_answer *names_parse(struct failure *failure,
	const json_t *frames);

/* Copies the names of the failure's frames; NULL gives NULL. */
struct symbols_answer *names_copy(const struct failure *failure,
	const struct symbols_answer *answer);

/* Returns a readable stack with a title as a new string; NULL: no names. */
char *names_stack(const struct failure *failure,
	const struct symbols_answer *answer);

#endif
