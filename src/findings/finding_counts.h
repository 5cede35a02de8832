/*
 * finding_counts: how often and when a finding was seen, from the newer of two
 * files. A running engine writes stats.json each second, and crash.json when
 * the count is a power of two.
 */
#ifndef CFUZZ_FINDINGS_FINDING_COUNTS_H
#define CFUZZ_FINDINGS_FINDING_COUNTS_H

#include <stdbool.h>

struct json_t;

/* Puts the count and the time of the last failure into crash.json's info if
 * those of the same finding in stats.json are higher. True: one was. Both may be
 * NULL. */
bool finding_counts_take(struct json_t *info, const struct json_t *stats);

#endif
