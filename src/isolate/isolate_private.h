/*
 * isolate_private: the steps by which the init of isolate.h makes what the
 * target sees, in this order.
 */
#ifndef CFUZZ_ISOLATE_ISOLATE_PRIVATE_H
#define CFUZZ_ISOLATE_ISOLATE_PRIVATE_H

#include "isolate/isolate.h"

/* ---- root.c: files ------------------------------------------------------ */

/* Of the target, who may write there and nowhere else. */
#define ISOLATE_HOME "/tmp"

/*
 * Makes a root of its own for this mount namespace. *fd becomes the target's
 * executable in it, close-on-exec.
 */
enum status root_make(const struct isolate_spec *spec, int target_fd, int *fd,
	struct error *err) MUST_CHECK;

/* ---- rights.c: who it is and what it may do ----------------------------- */

/* The user of the whole machine, whose rights no target may have. */
bool rights_are_root(void);
/*
 * New namespaces: a user's own, in which it may do the rest, or those of root,
 * who makes the user namespace in the end, by rights_drop(). The next child is
 * process 1.
 */
enum status rights_unshare(bool root, struct error *err) MUST_CHECK;
/* After that, and after all mounts: no capability is left, nor gained. */
enum status rights_drop(bool root, struct error *err) MUST_CHECK;
/* System calls that no target needs, and that reach out of namespaces. */
enum status rights_filter(struct error *err) MUST_CHECK;

#endif
