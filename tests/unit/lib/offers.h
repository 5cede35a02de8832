/*
 * offers: what a screen promises must be so.
 *
 * Each key that the footer has does something: a command goes out, or the
 * screen changes, or a message says why not. Each field that is drawn has
 * words in the help.
 */
#ifndef CFUZZ_TESTS_OFFERS_H
#define CFUZZ_TESTS_OFFERS_H

#include "lib/screen.h"

/* Opens the screen as it is to be looked at; each key has a fresh one. */
typedef void offers_open_fn(struct screen *screen, const void *arg);

/* Both fail the test. */
void offers_check_keys(offers_open_fn *open, const void *arg);
void offers_check_fields(struct screen *screen);

#endif
