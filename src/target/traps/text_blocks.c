/*
 * text_blocks: see text_blocks.h.
 *
 * First all functions are decoded. Turns are the instructions that end blocks,
 * in the order of their addresses. Then blocks are followed from turn to turn.
 */
#include "target/traps/text_blocks.h"

#include <string.h>
#include <sys/mman.h>

#include "shared/pages.h"
#include "target/traps/instruction.h"

#define TEXT_TABLES_MAX (1u << 16)
#define TEXT_ENTRIES_MAX 8192u /* of a jump table */
#define TEXT_PAGE 8            /* bits: a hint for each page of the text */
#define TEXT_NONE UINT32_MAX

/* Flags of each byte of the text. */
enum {
	TEXT_INSTRUCTION = 1, /* an instruction begins here */
	TEXT_LEADER = 2,      /* a block begins here */
};

/* An instruction that may lead elsewhere; offsets in the text. */
struct text_turn {
	uint32_t at, next;
	uint32_t target; /* TEXT_NONE: outside, or none */
	uint32_t kind;   /* enum instruction_kind */
};

struct text_table {
	uintptr_t at;
	enum instruction_table kind;
};

struct text_finder {
	const struct text *text;
	uint8_t *flags;
	struct text_turn *turns;
	uint32_t *hints; /* the first turn in each page of the text */
	uint32_t *work;  /* blocks to follow */
	struct text_table *tables;
	uint32_t turns_n, work_n, tables_n, leaders_n;
	size_t turns_max;
};

static void
text_unmap(void *map, size_t size)
{
	if (map != NULL)
		(void)munmap(map, size);
}

static size_t
text_hints(const struct text_finder *f)
{
	return (f->text->size >> TEXT_PAGE) + 2;
}

static bool
text_open(struct text_finder *f)
{
	/* A turn has at least one byte, and each function one turn more. */
	f->turns_max = f->text->size + f->text->functions->n;
	f->flags = pages_map(f->text->size + 1);
	f->turns = pages_map(f->turns_max * sizeof(*f->turns));
	f->hints = pages_map(text_hints(f) * sizeof(*f->hints));
	f->work = pages_map(f->text->size * sizeof(*f->work));
	f->tables = pages_map(TEXT_TABLES_MAX * sizeof(*f->tables));
	return f->flags != NULL && f->turns != NULL && f->hints != NULL &&
		f->work != NULL && f->tables != NULL;
}

static void
text_close(struct text_finder *f)
{
	text_unmap(f->flags, f->text->size + 1);
	text_unmap(f->turns, f->turns_max * sizeof(*f->turns));
	text_unmap(f->hints, text_hints(f) * sizeof(*f->hints));
	text_unmap(f->work, f->text->size * sizeof(*f->work));
	text_unmap(f->tables, TEXT_TABLES_MAX * sizeof(*f->tables));
}

/* ---- functions ---- */

static uint32_t
text_offset(const struct text_finder *f, uintptr_t address)
{
	uintptr_t offset = address - (uintptr_t)f->text->start;

	return address != 0 && offset < f->text->size ? (uint32_t)offset
						      : TEXT_NONE;
}

static void
text_add_turn(struct text_finder *f, uint32_t at, uint32_t next,
	uint32_t target, enum instruction_kind kind)
{
	f->turns[f->turns_n++] = (struct text_turn){ at, next, target, kind };
}

static void
text_take(struct text_finder *f, uint32_t at, const struct instruction *code)
{
	if (code->table != INSTRUCTION_NO_TABLE &&
		f->tables_n < TEXT_TABLES_MAX)
		f->tables[f->tables_n++] =
			(struct text_table){ code->at, code->table };
	if (code->kind != INSTRUCTION_PLAIN && code->kind != INSTRUCTION_CALL)
		text_add_turn(f, at, at + code->len,
			text_offset(f, code->target), code->kind);
}

/* Decodes a function; false: not all of it are instructions. */
static bool
text_decode(struct text_finder *f, uint32_t start, uint32_t end)
{
	struct instruction code;
	uint32_t at = start;

	while (at < end) {
		if (!instruction_decode(f->text->start + at, end - at, &code))
			return false;
		f->flags[at] = TEXT_INSTRUCTION;
		text_take(f, at, &code);
		at += code.len;
	}
	return true;
}

/* Do all jumps inside of the function lead to instructions? */
static bool
text_is_sound(const struct text_finder *f, uint32_t start, uint32_t end,
	uint32_t turn)
{
	for (; turn < f->turns_n; turn++) {
		uint32_t target = f->turns[turn].target;

		if (target >= start && target < end && f->flags[target] == 0)
			return false;
	}
	return true;
}

static bool
text_has_indirect(const struct text_finder *f, uint32_t turn)
{
	for (; turn < f->turns_n; turn++)
		if (f->turns[turn].kind == INSTRUCTION_INDIRECT)
			return true;
	return false;
}

static bool
text_take_function(struct text_finder *f, uint32_t start, uint32_t end)
{
	uint32_t turns_n = f->turns_n, tables_n = f->tables_n;
	bool sound = text_decode(f, start, end) &&
		text_is_sound(f, start, end, turns_n);

	if (!sound) {
		f->turns_n = turns_n;
		memset(f->flags + start, 0, end - start);
		f->flags[start] = TEXT_INSTRUCTION;
		text_add_turn(f, start, start, TEXT_NONE, INSTRUCTION_END);
	}
	if (!sound || !text_has_indirect(f, turns_n))
		f->tables_n = tables_n;
	/* A call that does not return may be the last instruction. */
	text_add_turn(f, end - 1, end, TEXT_NONE, INSTRUCTION_END);
	return sound;
}

/* Takes all functions; those that overlap one before are left out. */
static void
text_take_functions(struct text_finder *f, struct text_blocks *blocks)
{
	uint32_t done = 0;

	for (uint32_t i = 0; i < f->text->functions->n; i++) {
		uintptr_t start, end;
		uint32_t from, last;

		if (!functions_range(f->text->functions, i, &start, &end))
			continue;
		from = text_offset(f, start);
		last = text_offset(f, end - 1);
		if (from == TEXT_NONE || last == TEXT_NONE || from < done)
			continue;
		done = last + 1;
		blocks->functions_n++;
		blocks->doubtful_n += !text_take_function(f, from, done);
	}
}

static void
text_make_hints(struct text_finder *f)
{
	size_t page = 0;

	for (uint32_t i = 0; i < f->turns_n; i++)
		while (page <= f->turns[i].at >> TEXT_PAGE)
			f->hints[page++] = i;
	while (page < text_hints(f))
		f->hints[page++] = f->turns_n;
}

/* ---- blocks ---- */

static bool
text_lead(struct text_finder *f, uint32_t at)
{
	if (at >= f->text->size || !(f->flags[at] & TEXT_INSTRUCTION))
		return false;
	if (f->flags[at] & TEXT_LEADER)
		return true;
	f->flags[at] |= TEXT_LEADER;
	f->work[f->work_n++] = at;
	f->leaders_n++;
	return true;
}

static bool
text_is_readable(const struct text *text, uintptr_t at, size_t size)
{
	for (uint32_t i = 0; i < text->readable_n; i++) {
		const struct text_range *range = &text->readable[i];

		if (at >= range->start && at < range->end &&
			size <= range->end - at)
			return true;
	}
	return false;
}

/* False: the end of the table. */
static bool
text_lead_entry(struct text_finder *f, const struct text_table *table,
	uint32_t i)
{
	const uint8_t *entry = (const uint8_t *)table->at;
	uintptr_t address;
	int32_t distance;

	if (table->kind == INSTRUCTION_TABLE_FAR) {
		entry += i * sizeof(address);
		if (!text_is_readable(f->text, (uintptr_t)entry,
			    sizeof(address)))
			return false;
		memcpy(&address, entry, sizeof(address));
	} else {
		entry += i * sizeof(distance);
		if (!text_is_readable(f->text, (uintptr_t)entry,
			    sizeof(distance)))
			return false;
		memcpy(&distance, entry, sizeof(distance));
		address = table->at + (uintptr_t)(intptr_t)distance;
	}
	return text_lead(f, text_offset(f, address));
}

static void
text_follow(struct text_finder *f, uint32_t at)
{
	uint32_t i = f->hints[at >> TEXT_PAGE];
	const struct text_turn *turn;

	while (i < f->turns_n && f->turns[i].at < at)
		i++;
	if (i == f->turns_n)
		return;
	turn = &f->turns[i];
	if (turn->target != TEXT_NONE)
		(void)text_lead(f, turn->target);
	if (turn->kind == INSTRUCTION_BRANCH)
		(void)text_lead(f, turn->next);
}

static void
text_lead_all(struct text_finder *f)
{
	for (uint32_t i = 0; i < f->text->functions->n; i++) {
		uintptr_t start, end;

		if (functions_range(f->text->functions, i, &start, &end))
			(void)text_lead(f, text_offset(f, start));
	}
	for (uint32_t i = 0; i < f->tables_n; i++)
		for (uint32_t n = 0; n < TEXT_ENTRIES_MAX; n++)
			if (!text_lead_entry(f, &f->tables[i], n))
				break;
	while (f->work_n > 0)
		text_follow(f, f->work[--f->work_n]);
}

static bool
text_list(const struct text_finder *f, struct text_blocks *blocks)
{
	if (f->leaders_n == 0)
		return true;
	blocks->offsets = pages_map(f->leaders_n * sizeof(*blocks->offsets));
	if (blocks->offsets == NULL)
		return false;
	for (uint32_t at = 0; at < f->text->size; at++)
		/* A breakpoint of the program's own stays. */
		if ((f->flags[at] & TEXT_LEADER) &&
			f->text->start[at] != INSTRUCTION_BREAK)
			blocks->offsets[blocks->n++] = at;
	return true;
}

bool
text_blocks_find(const struct text *text, struct text_blocks *blocks)
{
	struct text_finder f = { .text = text };
	bool good;

	*blocks = (struct text_blocks){ .n = 0 };
	if (text->size == 0 || text->size > TEXT_SIZE_MAX)
		return text->size == 0;
	good = text_open(&f);
	if (good) {
		text_take_functions(&f, blocks);
		text_make_hints(&f);
		text_lead_all(&f);
		good = text_list(&f, blocks);
	}
	text_close(&f);
	return good;
}
