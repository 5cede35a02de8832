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
	char **readable, **hidden, *home; /* owned; used by spec */
};

/* Shows this file or folder as well. E_TARGET: it cannot be read. */
enum status isolation_show(struct isolation *isolation, const char *path,
	struct error *err) MUST_CHECK;
/* Shows the folder of this file as well. E_USAGE: it is too wide, see
 * isolate_folder_too_wide(). */
enum status isolation_show_beside(struct isolation *isolation, const char *path,
	struct error *err) MUST_CHECK;

/*
 * Takes over the settings, and tries at once to isolate the target. E_USAGE:
 * the settings contradict each other or name what cannot be shown; others are
 * those of isolate_try(). isolation_close() is needed also after an error, but
 * not for a zeroed struct.
 */
enum status isolation_open(struct isolation *isolation,
	const struct settings *settings, int target_fd, struct error *err)
	MUST_CHECK;
/* From now on targets do not see this existing folder, either. */
void isolation_hide(struct isolation *isolation, const char *path);
void isolation_close(struct isolation *isolation);

/* A hint for a target that does not start: isolated, it may lack a file. "" if
 * it is not isolated. */
const char *isolation_hint(const struct isolation *isolation);

/* For workers; borrowed until the isolation changes. NULL: not isolated. */
const struct isolate_spec *isolation_spec(const struct isolation *isolation);

#endif
