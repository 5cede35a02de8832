/*
 * isolate_private: the steps, in this order, by which the init of isolate.h
 * sets up what the target sees.
 */
#ifndef CFUZZ_ISOLATE_ISOLATE_PRIVATE_H
#define CFUZZ_ISOLATE_ISOLATE_PRIVATE_H

#include "isolate/isolate.h"

/* ---- root.c: files ------------------------------------------------------ */

/* The target's working folder, which is private and writable. */
#define ISOLATE_HOME "/tmp"

/*
 * Makes a new root for this mount namespace. *fd is the target's executable in
 * the new root, close-on-exec.
 */
enum status root_make(const struct isolate_spec *spec, int target_fd, int *fd,
	struct error *err) MUST_CHECK;

/* ---- rights.c: the target's user and rights ----------------------------- */

/* True for the root user of the machine; no target may have its rights. */
bool rights_are_root(void);
/*
 * Makes the namespaces. An ordinary user makes a user namespace first, which
 * permits the others; root makes the user namespace last, in rights_drop(). The
 * next child is process 1.
 */
enum status rights_unshare(bool root, struct error *err) MUST_CHECK;
/* Call after rights_unshare() and all mounts: drops capabilities for good. */
enum status rights_drop(bool root, struct error *err) MUST_CHECK;
/* Refuses system calls that escape the namespaces; no target needs them. */
enum status rights_filter(struct error *err) MUST_CHECK;

#endif
