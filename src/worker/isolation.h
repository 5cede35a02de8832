/*
 * isolation: whether targets run isolated, and what they may see (--isolate,
 * --readable). How it is done is isolate/isolate.h.
 */
#ifndef CFUZZ_WORKER_ISOLATION_H
#define CFUZZ_WORKER_ISOLATION_H

#include "control/settings.h"
#include "isolate/isolate.h"

struct isolation {
	bool on;
	struct isolate_spec spec;
	char **readable, *hidden; /* of the spec */
};

/*
 * Says at once what the settings or the machine do not allow. Zeros need no
 * isolation_close().
 */
enum status isolation_open(struct isolation *isolation,
	const struct settings *settings, int target_fd, struct error *err)
	MUST_CHECK;
/* From now on targets do not see this folder, which exists. */
void isolation_hide(struct isolation *isolation, const char *path);
void isolation_close(struct isolation *isolation);

/* Behind what a target says that does not start: ""; it lacks a file, perhaps. */
const char *isolation_hint(const struct isolation *isolation);

/* For workers: NULL, they are not isolated. */
const struct isolate_spec *isolation_spec(const struct isolation *isolation);

#endif
