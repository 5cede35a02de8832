/*
 * isolate_private: the steps, in this order, by which the init of isolate.h
 * sets up what the target sees.
 */
#ifndef CFUZZ_ISOLATE_ISOLATE_PRIVATE_H
#define CFUZZ_ISOLATE_ISOLATE_PRIVATE_H

#include "isolate/isolate.h"

/* ---- root.c: files ------------------------------------------------------ */

/* The target's working folder, which is private and writable, as its shared
 * memory is. */
#define ISOLATE_HOME "/tmp"
#define ISOLATE_SHM "/dev/shm"

/*
 * Makes a new root for this mount namespace. *fd becomes a descriptor of the
 * target's executable in the new root, close-on-exec. E_USAGE: the machine does
 * not allow it.
 */
enum status root_make(const struct isolate_spec *spec, int target_fd, int *fd,
	struct error *err) MUST_CHECK;

/* ---- rights.c: the target's user and rights ----------------------------- */

/* True for the root user of the machine; no target may have its rights. Root of
 * a user namespace is an ordinary user here. */
bool rights_are_root(void);
/* Reports E_USAGE: why the machine refused, with that errno, a namespace or the
 * rights in it, and what the user can do. */
enum status rights_refused(int errnum, struct error *err);
/*
 * Makes the namespaces. An ordinary user makes a user namespace first, which
 * permits the others; root makes the user namespace last, in rights_drop(). The
 * next child is process 1. This function and the next two: E_USAGE if the
 * machine does not allow it.
 */
enum status rights_unshare(bool root, struct error *err) MUST_CHECK;
/* Call after rights_unshare() and all mounts: root becomes nobody, and all
 * capabilities are dropped for good. */
enum status rights_drop(bool root, struct error *err) MUST_CHECK;
/* Refuses system calls that escape the namespaces; no target needs them. No
 * effect on machines other than x86-64 and 64-bit ARM. */
enum status rights_filter(struct error *err) MUST_CHECK;

#endif
