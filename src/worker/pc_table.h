/*
 * pc_table: maps edge counters to modules and to addresses in their files.
 *
 * Targets send their PC tables piece by piece, one module at a time. They are
 * not trusted: each number is checked to be an address, each path is plain
 * text.
 */
#ifndef CFUZZ_WORKER_PC_TABLE_H
#define CFUZZ_WORKER_PC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"
#include "worker/target/elf.h"

#define PC_TABLE_MODULES_MAX 64u

enum pc_table_state {
	PC_TABLE_WANTED, /* not requested yet, or no answer so far */
	PC_TABLE_ASKED,
	PC_TABLE_KNOWN,
	PC_TABLE_NONE, /* not available */
};

struct pc_table_module {
	uint64_t key;
	uint32_t n, base; /* its edge counters */
	enum pc_table_state state;
	char *path;              /* owned; NULL: unknown */
	char id[TARGET_ID_SIZE]; /* "": none */
	uint64_t *numbers; /* owned: `known` addresses, see pc_table_head */
	uint32_t known;
	uint32_t functions; /* counters that are function entries */
	uint32_t tries;
	uint64_t ask_ns; /* earliest time of the next request */
};

/* All zero is an empty table. */
struct pc_table {
	struct pc_table_module modules[PC_TABLE_MODULES_MAX]; /* by base */
	uint32_t n;
};

void pc_table_clear(struct pc_table *table);

/* Adds a module, unless it is known or there is no room. The value profile and
 * counters without a module have no addresses and are not added. */
void pc_table_add(struct pc_table *table, uint64_t key, uint32_t n,
	uint32_t base);

/* Returns the next module to request at this time and marks it as requested;
 * borrowed until pc_table_clear(). NULL: none. */
struct pc_table_module *pc_table_next(struct pc_table *table, uint64_t now_ns);
/* Marks this module as requested, whenever it may be requested again. False: its
 * table is known, or is not to be had, or a request is under way. */
bool pc_table_ask(struct pc_table_module *module);
/* Is a request under way, or a module never requested? */
bool pc_table_outstanding(const struct pc_table *table);

/*
 * Takes the answer to a request for the numbers from `first` on: head and
 * numbers (copied), or NULL if the worker does not know them; then the module
 * is requested again later, 24 times at most. program: the target, which does
 * not send its own path. folder: where it works, NULL: as we.
 */
void pc_table_take(struct pc_table_module *module, uint32_t first,
	const struct pc_table_head *head, const uint64_t *numbers,
	const struct target_info *program, const char *folder, uint64_t now_ns);

/*
 * Adds the next number; 0 in place of what is no address. `numbers` has room.
 */
void pc_table_put(struct pc_table_module *module, uint64_t number);

/* The module of an edge counter; NULL: unknown. */
const struct pc_table_module *pc_table_find(const struct pc_table *table,
	uint32_t counter);
/* The address of an edge counter, with the flag TABLE_ENTRY; 0: unknown. */
uint64_t pc_table_number(const struct pc_table *table, uint32_t counter);

#endif
