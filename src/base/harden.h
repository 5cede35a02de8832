/*
 * harden: protects our own processes from the target (Linux).
 *
 * A target runs as the same user. It must neither read our memory nor control
 * us, so call this before any other program is started.
 */
#ifndef CFUZZ_BASE_HARDEN_H
#define CFUZZ_BASE_HARDEN_H

#include "shared/status.h"

/*
 * From now on no other process of the same user can attach to us or read our
 * memory and open files, and a crash writes no core file. exec undoes the first
 * part. Failures are ignored.
 */
void harden_process(void);

/* E_USAGE: the program runs setuid or setgid. */
enum status harden_check_user(struct error *err) MUST_CHECK;

#endif
