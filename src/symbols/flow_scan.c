/* flow_scan: see flow_scan.h. */
#include "symbols/flow_scan.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/search.h"

#define FLOW_ENTRIES_MAX 8192u /* of jump tables */

uint8_t *
flow_scan_at(const struct flow_scan *scan, uint64_t address)
{
	size_t before = 0;

	for (size_t i = 0; i < scan->input->ranges_n; i++) {
		const struct flow_range *range = &scan->input->ranges[i];

		if (address >= range->start && address < range->end)
			return &scan->flags[before + (address - range->start)];
		before += range->end - range->start;
	}
	return NULL;
}

/* Marks a block start. False: no instruction begins there. */
static bool
flow_lead(struct flow_scan *s, uint64_t address, unsigned more)
{
	uint8_t *flags = flow_scan_at(s, address);

	if (flags == NULL || (*flags & FLOW_INSTRUCTION) == 0)
		return false;
	*flags |= FLOW_LEADER | more;
	return true;
}

/* ---- instructions ---- */

static void
flow_add_turn(struct flow_scan *s, uint64_t at,
	const struct code_instruction *instruction)
{
	struct flow_turn turn = { at, at + instruction->size,
		instruction->target, instruction->kind, 0 };

	if ((turn.kind == CODE_CALL || turn.kind == CODE_JUMP) &&
		turn.target != 0 && s->input->callee != NULL &&
		flow_scan_at(s, turn.target) == NULL)
		turn.callee = s->input->callee(s->input->arg, turn.target);
	if (turn.kind == CODE_CALL && (turn.callee & FLOW_HOOK) != 0)
		return; /* it returns, as a counter's call does */
	if (turn.kind == CODE_CALL && (turn.callee & FLOW_ENDS) != 0)
		turn.kind = CODE_TRAP;
	s->turns = xgrow(s->turns, s->turns_n, 1, sizeof(*s->turns));
	s->turns[s->turns_n++] = turn;
}

/* Is there an edge counter's call in the range? Such a call returns. */
static bool
flow_counts(const struct flow_scan *s, uint64_t start, uint64_t end)
{
	size_t i;

	SEARCH_FIRST(i, s->input->points_n, s->input->points[i].at <= start);
	return i < s->input->points_n && s->input->points[i].at < end;
}

static void
flow_take_instruction(struct flow_scan *s, uint64_t at,
	const struct code_instruction *instruction)
{
	s->indirect |= instruction->kind == CODE_INDIRECT;
	if (instruction->table != CODE_NO_TABLE) {
		if (s->tables_n == FLOW_TABLES_MAX)
			s->tables_n--; /* too many: none is trusted */
		s->tables[s->tables_n++] = *instruction;
	}
	if (instruction->kind == CODE_CALL &&
		flow_counts(s, at, at + instruction->size)) {
		*flow_scan_at(s, at) |= FLOW_IDLE;
		return;
	}
	if (instruction->kind == CODE_JUMP &&
		flow_scan_at(s, instruction->target) != NULL)
		*flow_scan_at(s, at) |= FLOW_IDLE;
	if (instruction->kind != CODE_PLAIN)
		flow_add_turn(s, at, instruction);
}

static bool
flow_scan_range(struct flow_scan *s, const struct flow_range *range,
	uint8_t *flags)
{
	size_t len = range->end - range->start, at = 0;
	uint8_t *bytes = xmalloc(len);
	struct code_instruction instruction;
	bool good = code_read(s->input->code, range->start, bytes, len);

	while (good && at < len) {
		good = code_decode(s->input->code, range->start + at,
			bytes + at, len - at, &instruction);
		flags[at] |= FLOW_INSTRUCTION;
		if (good)
			flow_take_instruction(s, range->start + at,
				&instruction);
		at += instruction.size;
	}
	free(bytes);
	return good;
}

static bool
flow_scan_instructions(struct flow_scan *s)
{
	const struct flow_input *input = s->input;
	size_t before = 0;

	for (size_t i = 0; i < input->ranges_n; i++) {
		if (input->ranges[i].end - input->ranges[i].start >
			FLOW_BYTES_MAX - s->bytes)
			return false;
		s->bytes += input->ranges[i].end - input->ranges[i].start;
	}
	s->flags = xcalloc(s->bytes + 1, 1);
	for (size_t i = 0; i < input->ranges_n; i++) {
		if (!flow_scan_range(s, &input->ranges[i], s->flags + before))
			return false;
		before += input->ranges[i].end - input->ranges[i].start;
	}
	return true;
}

/* ---- targets of indirect jumps ---- */

/* Marks the target of a table entry; false: end of the table. */
static bool
flow_take_entry(struct flow_scan *s, const struct code_instruction *table,
	size_t i)
{
	uint64_t address;
	int32_t near;

	if (table->table == CODE_TABLE_FAR)
		return code_read(s->input->code, table->at + 8 * i, &address,
			       sizeof(address)) &&
			flow_lead(s, address, FLOW_TARGET);
	return code_read(s->input->code, table->at + 4 * i, &near,
		       sizeof(near)) &&
		flow_lead(s, table->at + (uint64_t)(int64_t)near, FLOW_TARGET);
}

/* The labels whose addresses the module's data holds. */
static void
flow_take_labels(struct flow_scan *s, const struct flow_range *range)
{
	const struct relocations *r = s->input->relocations;
	size_t i;

	/* Its start is that of the function, which any pointer to it holds. */
	SEARCH_FIRST(i, r->labels_n, r->labels[i] <= range->start);
	for (; i < r->labels_n && r->labels[i] < range->end; i++)
		s->entries_n += flow_lead(s, r->labels[i], FLOW_TARGET);
}

/* False: there are indirect jumps, and not all targets are known. */
static bool
flow_take_targets(struct flow_scan *s)
{
	const struct flow_input *input = s->input;

	if (!s->indirect)
		return true;
	if (s->tables_n == FLOW_TABLES_MAX ||
		(input->relocations != NULL && input->relocations->labels_cut))
		return false;
	for (size_t k = 0; k < s->tables_n; k++)
		for (size_t i = 0; flow_take_entry(s, &s->tables[k], i); i++)
			if (++s->entries_n == FLOW_ENTRIES_MAX)
				return false;
	for (size_t i = 0; input->relocations != NULL && i < input->ranges_n;
		i++)
		flow_take_labels(s, &input->ranges[i]);
	return s->entries_n > 0;
}

/* ---- leaders ---- */

static bool
flow_find_leaders(struct flow_scan *s)
{
	for (size_t i = 0; i < s->input->ranges_n; i++)
		(void)flow_lead(s, s->input->ranges[i].start, 0);
	for (size_t i = 0; i < s->input->points_n; i++)
		(void)flow_lead(s, s->input->points[i].at, 0);
	for (size_t i = 0; i < s->turns_n; i++) {
		const struct flow_turn *turn = &s->turns[i];

		if (turn->kind != CODE_CALL || s->input->leaps)
			(void)flow_lead(s, turn->next, 0);
		if ((turn->kind == CODE_JUMP || turn->kind == CODE_BRANCH) &&
			flow_scan_at(s, turn->target) != NULL &&
			!flow_lead(s, turn->target, 0))
			return false; /* into the middle of an instruction */
	}
	return flow_take_targets(s);
}

bool
flow_scan_make(struct flow_scan *scan, const struct flow_input *input)
{
	scan->input = input;
	return flow_scan_instructions(scan) && flow_find_leaders(scan);
}

void
flow_scan_clear(struct flow_scan *scan)
{
	free(scan->flags);
	free(scan->turns);
}
