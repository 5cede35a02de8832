/*
 * names: a failure's frames in words: function, file, line.
 *
 * Names are for people. What a failure is, and where it is kept, is decided
 * without them, so it does not matter when they come, or whether they do.
 */
#ifndef CFUZZ_ENGINE_NAMES_H
#define CFUZZ_ENGINE_NAMES_H

#include <sys/types.h>

#include <event2/event.h>
#include <jansson.h>

#include "engine/elf.h"
#include "engine/symbols_client.h"
#include "shared/failure.h"

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

/*
 * "read_tile tiles.c:118": the first frame that is not a library's or a
 * sanitizer's own. False: it has no name, buf is as it was.
 */
bool names_where(const struct failure *failure,
	const struct symbols_answer *answer, char *buf, size_t size);

/* For crash.json: an array; answer may be NULL. */
json_t *names_frames(const struct failure *failure,
	const struct symbols_answer *answer);

/*
 * Reads such an array, of unknown origin, into the failure's frames. NULL: it
 * names nothing.
 */
struct symbols_answer *names_parse(struct failure *failure,
	const json_t *frames);

/* A stack to read, under a title, as a new string; NULL: nothing has a name. */
char *names_stack(const struct failure *failure,
	const struct symbols_answer *answer);

#endif
