/*
 * harden: what our own processes do first, before they start others (Linux).
 *
 * A target runs as the same user as we do. What it must not do all the same is
 * to look into us or to move our hands.
 */
#ifndef CFUZZ_BASE_HARDEN_H
#define CFUZZ_BASE_HARDEN_H

#include "shared/status.h"

/*
 * Nobody of the same user may attach to us, or read our memory and what we have
 * open; no core files. A program that we exec begins anew.
 */
void harden_process(void);

/* E_USAGE: we were given the rights of another user. */
enum status harden_check_user(struct error *err) MUST_CHECK;

#endif
