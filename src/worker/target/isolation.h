/*
 * isolation: the settings of isolated targets (--isolate, --readable). The
 * mechanism is in isolate/isolate.h.
 */
#ifndef CFUZZ_WORKER_TARGET_ISOLATION_H
#define CFUZZ_WORKER_TARGET_ISOLATION_H

#include "control/settings.h"
#include "isolate/isolate.h"

struct isolation {
	bool on;
	struct isolate_spec spec;
	char **readable, *hidden; /* owned; used by spec */
};

/* Shows this file or folder as well. */
enum status isolation_show(struct isolation *isolation, const char *path,
	struct error *err) MUST_CHECK;
/* Shows the folder of this file as well. */
enum status isolation_show_beside(struct isolation *isolation, const char *path,
	struct error *err) MUST_CHECK;

/*
 * Reports at once if the settings or the machine forbid isolation. A zeroed
 * struct needs no isolation_close().
 */
enum status isolation_open(struct isolation *isolation,
	const struct settings *settings, int target_fd, struct error *err)
	MUST_CHECK;
/* From now on targets do not see this existing folder. */
void isolation_hide(struct isolation *isolation, const char *path);
void isolation_close(struct isolation *isolation);

/* A hint for a target that does not start: isolated, it may lack a file. "" if
 * it is not isolated. */
const char *isolation_hint(const struct isolation *isolation);

/* For workers; NULL: not isolated. */
const struct isolate_spec *isolation_spec(const struct isolation *isolation);

#endif
