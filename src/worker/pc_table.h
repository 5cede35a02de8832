/*
 * pc_table: whose counters are in the mask, and where in their files they
 * stand.
 *
 * Targets tell it piece by piece, each module once. What they tell is foreign:
 * a number is an address of the file or nothing, a path is text.
 */
#ifndef CFUZZ_WORKER_PC_TABLE_H
#define CFUZZ_WORKER_PC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"
#include "worker/elf.h"

#define PLACES_MODULES_MAX 64u

enum places_state {
	PLACES_WANTED, /* not asked yet, or without an answer so far */
	PLACES_ASKED,
	PLACES_KNOWN,
	PLACES_NONE, /* nobody can tell */
};

struct places_module {
	uint64_t key;
	uint32_t n, base; /* its counters */
	enum places_state state;
	char *path;              /* owned; NULL: not known */
	char id[TARGET_ID_SIZE]; /* "": none */
	uint64_t *numbers;       /* owned, `known` of them */
	uint32_t known;
	uint32_t functions; /* that begin at a counter */
	uint32_t tries;
	uint64_t ask_ns; /* not before */
};

/* Empty: all zero. */
struct places {
	struct places_module modules[PLACES_MODULES_MAX]; /* by base */
	uint32_t n;
};

void places_clear(struct places *places);

/* One that is known, or for which there is no room, is left alone. */
void places_add(struct places *places, uint64_t key, uint32_t n, uint32_t base);

/* The module to ask about now; it is asked about then. NULL: none. */
struct places_module *places_next(struct places *places, uint64_t now_ns);
/* Has somebody to be asked who was not asked yet? */
bool places_outstanding(const struct places *places);

/*
 * What somebody said who was asked for the numbers from `first` on: head and
 * numbers, or NULL, where nothing is known. program: the target, whose path
 * a target does not tell.
 */
void places_take(struct places_module *module, uint32_t first,
	const struct table_head *head, const uint64_t *numbers,
	const struct target_info *program, uint64_t now_ns);

/* The module that a counter belongs to; NULL: none that is known. */
const struct places_module *places_find(const struct places *places,
	uint32_t counter);
/* Where it stands, and TABLE_ENTRY; 0: not known. */
uint64_t places_number(const struct places *places, uint32_t counter);

#endif
