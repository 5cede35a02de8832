/*
 * own_note: makes of a test's program a target, as far as the engine sees.
 *
 * For a test that runs a whole engine with itself as a fake worker.
 */
#ifndef CFUZZ_TESTS_OWN_NOTE_H
#define CFUZZ_TESTS_OWN_NOTE_H

#include <stdint.h>

#include "shared/wire/memory.h"
#include "shared/wire/note.h"

__attribute__((section(NOTE_SECTION), used, aligned(4))) static const struct {
	uint32_t name_len, len, type;
	char name[(sizeof(NOTE_OWNER) + 3) & ~3u];
	struct note note;
} own_note = {
	.name_len = sizeof(NOTE_OWNER),
	.len = sizeof(struct note),
	.type = NOTE_TYPE,
	.name = NOTE_OWNER,
	.note = { .wire_version = WIRE_VERSION },
};

#endif
