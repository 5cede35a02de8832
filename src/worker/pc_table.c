/* pc_table: see pc_table.h. */
#include "worker/pc_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"

#define PC_TABLE_TRIES 24u
#define PC_TABLE_PAUSE_NS 250000000ull /* doubled after each try, … */
#define PC_TABLE_DOUBLINGS 5u          /* … up to 8 s */
#define PC_TABLE_ADDRESS_MAX (1ull << 56)

void
pc_table_clear(struct pc_table *table)
{
	uint32_t i;

	for (i = 0; i < table->n; i++) {
		free(table->modules[i].path);
		free(table->modules[i].numbers);
	}
	memset(table, 0, sizeof(*table));
}

void
pc_table_add(struct pc_table *table, uint64_t key, uint32_t n, uint32_t base)
{
	uint32_t i;

	if (table->n == PC_TABLE_MODULES_MAX || n == 0 ||
		key == MEMORY_VALUE_PROFILE_KEY ||
		key == MEMORY_NO_MODULE_KEY || base > MEMORY_COUNTERS_MAX)
		return;
	for (i = 0; i < table->n; i++)
		if (table->modules[i].base == base)
			return;
	table->modules[table->n++] = (struct pc_table_module){
		.key = key,
		.n = n,
		.base = base,
	};
}

bool
pc_table_ask(struct pc_table_module *m)
{
	if (m->state != PC_TABLE_WANTED)
		return false;
	m->state = PC_TABLE_ASKED;
	return true;
}

struct pc_table_module *
pc_table_next(struct pc_table *table, uint64_t now)
{
	uint32_t i;

	for (i = 0; i < table->n; i++) {
		struct pc_table_module *m = &table->modules[i];

		if (now >= m->ask_ns && pc_table_ask(m))
			return m;
	}
	return NULL;
}

bool
pc_table_outstanding(const struct pc_table *table)
{
	uint32_t i;

	for (i = 0; i < table->n; i++) {
		const struct pc_table_module *m = &table->modules[i];

		if (m->state == PC_TABLE_ASKED ||
			(m->state == PC_TABLE_WANTED && m->tries == 0))
			return true;
	}
	return false;
}

static void
pc_table_set_id(struct pc_table_module *m, const struct pc_table_head *head)
{
	uint32_t i;

	for (i = 0; i < head->id_len && i < sizeof(head->id); i++)
		snprintf(m->id + 2 * i, 3, "%02x", head->id[i]);
}

/* The target's own file is known from its start, not from its answer. */
static void
pc_table_set_file(struct pc_table_module *m, const struct pc_table_head *head,
	const struct target_info *program, const char *folder)
{
	char *here = NULL;

	if (m->path != NULL)
		return;
	pc_table_set_id(m, head);
	if (head->path[0] == '\0') {
		m->path = xstrdup(program->path);
		snprintf(m->id, sizeof(m->id), "%s",
			program->has_build_id ? program->id : "");
	} else if (head->path[0] == '/') {
		m->path = xstrdup(head->path);
	} else if (folder != NULL || (here = getcwd(NULL, 0)) != NULL) {
		m->path = xasprintf("%s/%s", folder != NULL ? folder : here,
			head->path);
		free(here);
	}
}

/* Another worker may answer, or the same one later. */
static void
pc_table_retry(struct pc_table_module *m, uint64_t now)
{
	uint32_t doublings =
		m->tries < PC_TABLE_DOUBLINGS ? m->tries : PC_TABLE_DOUBLINGS;

	m->state =
		++m->tries < PC_TABLE_TRIES ? PC_TABLE_WANTED : PC_TABLE_NONE;
	m->ask_ns = now + (PC_TABLE_PAUSE_NS << doublings);
}

static uint64_t
pc_table_check(uint64_t number)
{
	uint64_t address = number & ~TABLE_ENTRY;

	return address == 0 || address >= PC_TABLE_ADDRESS_MAX ? 0 : number;
}

void
pc_table_put(struct pc_table_module *m, uint64_t number)
{
	number = pc_table_check(number);
	m->numbers[m->known++] = number;
	m->functions += (number & TABLE_ENTRY) != 0;
}

void
pc_table_take(struct pc_table_module *m, uint32_t first,
	const struct pc_table_head *head, const uint64_t *numbers,
	const struct target_info *program, const char *folder, uint64_t now)
{
	uint32_t i, n;

	if (m->state != PC_TABLE_ASKED)
		return;
	if (head == NULL || head->n == 0 || first != m->known) {
		pc_table_retry(m, now);
		return;
	}
	pc_table_set_file(m, head, program, folder);
	n = head->n < m->n - m->known ? head->n : m->n - m->known;
	m->numbers =
		xreallocarray(m->numbers, m->known + n, sizeof(*m->numbers));
	for (i = 0; i < n; i++)
		pc_table_put(m, numbers[i]);
	m->state = m->known == m->n ? PC_TABLE_KNOWN : PC_TABLE_WANTED;
}

const struct pc_table_module *
pc_table_find(const struct pc_table *table, uint32_t counter)
{
	uint32_t i;

	for (i = 0; i < table->n; i++) {
		const struct pc_table_module *m = &table->modules[i];

		if (counter >= m->base && counter - m->base < m->n)
			return m;
	}
	return NULL;
}

uint64_t
pc_table_number(const struct pc_table *table, uint32_t counter)
{
	const struct pc_table_module *m = pc_table_find(table, counter);

	return m != NULL && counter - m->base < m->known
		? m->numbers[counter - m->base]
		: 0;
}
