/*
 * names: a failure's frames in words: function, file, line.
 *
 * They come late or never: where a failure is kept is decided without them,
 * and that it is one that is known already (bucket.h) may turn out later.
 */
#ifndef CFUZZ_FINDINGS_NAMES_H
#define CFUZZ_FINDINGS_NAMES_H

#include <sys/types.h>

#include <event2/event.h>
#include <jansson.h>

#include "findings/symbols_client.h"
#include "shared/wire/failure.h"
#include "worker/elf.h"

/* What an answer means that is `blind`. */
#define NAMES_BLIND \
	"libdw.so.1 (elfutils) is not installed: functions and lines of " \
	"findings have no names"

struct names;

/* The target is borrowed. */
struct names *names_create(struct event_base *base,
	const struct target_info *target);
void names_destroy(struct names *names); /* NULL is fine */

/*
 * Asks for all frames. Where other modules than the target lie is looked up
 * in a process that has them loaded; 0: there is none. False: nothing can be
 * asked, `done` will not be called.
 */
bool names_ask(struct names *names, const struct failure *failure,
	pid_t process, symbols_done_fn *done, void *arg);

/* Asks for the lines of the source around name `depth` of a frame. */
bool names_ask_source(struct names *names, const struct failure_frame *frame,
	uint32_t depth, pid_t process, symbols_done_fn *done, void *arg);

/* Asks for places of any kind, see symbols_ask(). */
bool names_ask_places(struct names *names, const struct symbols_place *places,
	uint32_t n, symbols_done_fn *done, void *arg);

/*
 * "read_tile tiles.c:118": the first frame that is not a library's or a
 * sanitizer's own. False: it has no name, buf is as it was.
 */
bool names_where(const struct failure *failure,
	const struct symbols_answer *answer, char *buf, size_t size);

/* The same, or else the innermost frame as "target+0x1234"; "": no frames.
 * answer may be NULL. */
void names_spot(const struct failure *failure,
	const struct symbols_answer *answer, char *buf, size_t size);

/*
 * Are these the same failure, in builds whose addresses may differ? By kind
 * and what; and, where both have names, by the function.
 */
bool names_same(const struct failure *a, const struct symbols_answer *a_names,
	const struct failure *b, const struct symbols_answer *b_names);

/* Is the k-th name of a frame one of the C library or a sanitizer? k may be
 * beyond what is known. */
bool names_is_library(const struct failure *failure,
	const struct symbols_answer *answer, uint32_t frame, uint32_t k);

/* For crash.json: an array; answer may be NULL. */
json_t *names_frames(const struct failure *failure,
	const struct symbols_answer *answer);

/*
 * Reads such an array, of unknown origin, into the failure's frames. NULL: it
 * names nothing.
 */
struct symbols_answer *names_parse(struct failure *failure,
	const json_t *frames);

/* The same names once more; NULL of NULL. */
struct symbols_answer *names_copy(const struct failure *failure,
	const struct symbols_answer *answer);

/* A stack to read, under a title, as a new string; NULL: nothing has a name. */
char *names_stack(const struct failure *failure,
	const struct symbols_answer *answer);

#endif
