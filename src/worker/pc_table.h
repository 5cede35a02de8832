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

#define PC_TABLE_MODULES_MAX 64u

enum pc_table_state {
	PC_TABLE_WANTED, /* not asked yet, or without an answer so far */
	PC_TABLE_ASKED,
	PC_TABLE_KNOWN,
	PC_TABLE_NONE, /* nobody can tell */
};

struct pc_table_module {
	uint64_t key;
	uint32_t n, base; /* its counters */
	enum pc_table_state state;
	char *path;              /* owned; NULL: not known */
	char id[TARGET_ID_SIZE]; /* "": none */
	uint64_t *numbers;       /* owned, `known` of them */
	uint32_t known;
	uint32_t functions; /* that begin at a counter */
	uint32_t tries;
	uint64_t ask_ns; /* not before */
};

/* Empty: all zero. */
struct pc_table {
	struct pc_table_module modules[PC_TABLE_MODULES_MAX]; /* by base */
	uint32_t n;
};

void pc_table_clear(struct pc_table *places);

/* One that is known, or for which there is no room, is left alone. */
void pc_table_add(struct pc_table *places, uint64_t key, uint32_t n,
	uint32_t base);

/* The module to ask about now; it is asked about then. NULL: none. */
struct pc_table_module *pc_table_next(struct pc_table *places, uint64_t now_ns);
/* Has somebody to be asked who was not asked yet? */
bool pc_table_outstanding(const struct pc_table *places);

/*
 * What somebody said who was asked for the numbers from `first` on: head and
 * numbers, or NULL, where nothing is known. program: the target, whose path
 * a target does not tell.
 */
void pc_table_take(struct pc_table_module *module, uint32_t first,
	const struct table_head *head, const uint64_t *numbers,
	const struct target_info *program, uint64_t now_ns);

/* The module that a counter belongs to; NULL: none that is known. */
const struct pc_table_module *pc_table_find(const struct pc_table *places,
	uint32_t counter);
/* Where it stands, and TABLE_ENTRY; 0: not known. */
uint64_t pc_table_number(const struct pc_table *places, uint32_t counter);

#endif
