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
 * Denies other processes of the same user to attach to us or to read our memory
 * and open files; no core files. exec makes a process attachable again.
 */
void harden_process(void);

/* E_USAGE: the program runs setuid or setgid. */
enum status harden_check_user(struct error *err) MUST_CHECK;

#endif
