/* relocations: see relocations.h. */
#include "symbols/relocations.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define RELOCATIONS_DYNAMIC_MAX 256u     /* entries of the dynamic section */
#define RELOCATIONS_SLOTS_MAX (1u << 16) /* of a table */
#define RELOCATIONS_NAME_MAX 64u
#define RELOCATIONS_LABELS_MAX (1u << 22)
#define RELOCATIONS_WORD 8u  /* bytes of an address */
#define RELOCATIONS_BITS 63u /* words that a bitmap is about */

/* Not in the elf.h of each C library. */
#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#endif

/* A table of the module; all zero: there is none. */
struct relocations_table {
	uint64_t at, size; /* address; bytes */
};

struct relocations_tables {
	const struct code *code;
	uint64_t symbols, strings; /* addresses */
	struct relocations_table calls, all, packed;
};

static uint64_t *
relocations_field(struct relocations_tables *t, int64_t tag)
{
	switch (tag) {
	case DT_SYMTAB:
		return &t->symbols;
	case DT_STRTAB:
		return &t->strings;
	case DT_JMPREL:
		return &t->calls.at;
	case DT_PLTRELSZ:
		return &t->calls.size;
	case DT_RELA:
		return &t->all.at;
	case DT_RELASZ:
		return &t->all.size;
	case DT_RELR:
		return &t->packed.at;
	case DT_RELRSZ:
		return &t->packed.size;
	default:
		return NULL;
	}
}

static void
relocations_find_tables(struct relocations_tables *t)
{
	Elf64_Dyn entry;
	uint64_t *field;

	for (unsigned i = 0; i < RELOCATIONS_DYNAMIC_MAX &&
		code_read(t->code, t->code->dynamic + i * sizeof(entry), &entry,
			sizeof(entry)) &&
		entry.d_tag != DT_NULL;
		i++) {
		field = relocations_field(t, entry.d_tag);
		if (field != NULL)
			*field = entry.d_un.d_val;
	}
}

/* ---- slots ---- */

/* False: no name, or a name that is too long. */
static bool
relocations_name(const struct relocations_tables *t, uint64_t number,
	char *name)
{
	Elf64_Sym symbol;

	if (number == 0 ||
		!code_read(t->code, t->symbols + number * sizeof(symbol),
			&symbol, sizeof(symbol)))
		return false;
	for (size_t i = 0; i < RELOCATIONS_NAME_MAX; i++) {
		if (!code_read(t->code, t->strings + symbol.st_name + i,
			    &name[i], 1))
			return false;
		if (name[i] == '\0')
			return true;
	}
	return false;
}

static void
relocations_add_slots(struct relocations *r, const struct relocations_tables *t,
	const struct relocations_table *table,
	unsigned (*way)(const char *name))
{
	char name[RELOCATIONS_NAME_MAX];
	Elf64_Rela entry;

	for (uint64_t i = 0;
		i < table->size / sizeof(entry) && i < RELOCATIONS_SLOTS_MAX;
		i++) {
		struct relocations_slot slot = { 0 };

		if (!code_read(t->code, table->at + i * sizeof(entry), &entry,
			    sizeof(entry)))
			return;
		slot.at = entry.r_offset;
		if (relocations_name(t, ELF64_R_SYM(entry.r_info), name))
			slot.way = way(name);
		if (slot.way == 0)
			continue;
		r->slots = xgrow(r->slots, r->slots_n, 1, sizeof(*r->slots));
		r->slots[r->slots_n++] = slot;
	}
}

static int
relocations_compare_slots(const void *a, const void *b)
{
	const struct relocations_slot *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* ---- labels ---- */

static void
relocations_add_label(struct relocations *r, uint64_t address)
{
	if (r->labels_n == RELOCATIONS_LABELS_MAX) {
		r->labels_cut = true;
		return;
	}
	r->labels = xgrow(r->labels, r->labels_n, 1, sizeof(*r->labels));
	r->labels[r->labels_n++] = address;
}

static void
relocations_add_labels(struct relocations *r,
	const struct relocations_tables *t)
{
	uint64_t type = t->code->machine == EM_AARCH64 ? R_AARCH64_RELATIVE
						       : R_X86_64_RELATIVE;
	Elf64_Rela entry;

	for (uint64_t i = 0;
		i < t->all.size / sizeof(entry) && !r->labels_cut &&
		code_read(t->code, t->all.at + i * sizeof(entry), &entry,
			sizeof(entry));
		i++)
		if (ELF64_R_TYPE(entry.r_info) == type)
			relocations_add_label(r, (uint64_t)entry.r_addend);
}

/* Adds what the word at this address holds. */
static void
relocations_add_word(struct relocations *r, const struct relocations_tables *t,
	uint64_t at)
{
	uint64_t address;

	if (code_read(t->code, at, &address, sizeof(address)))
		relocations_add_label(r, address);
}

/*
 * Packed relocations (DT_RELR, in the "Generic ABI" of ELF): an even entry is the
 * address of a word, an odd one a bitmap of the 63 words that follow.
 */
static void
relocations_add_packed(struct relocations *r,
	const struct relocations_tables *t)
{
	uint64_t entry, next = 0;

	for (uint64_t i = 0;
		i < t->packed.size / sizeof(entry) && !r->labels_cut &&
		code_read(t->code, t->packed.at + i * sizeof(entry), &entry,
			sizeof(entry));
		i++) {
		if ((entry & 1) == 0) {
			relocations_add_word(r, t, entry);
			next = entry + RELOCATIONS_WORD;
			continue;
		}
		for (uint64_t k = 0; k < RELOCATIONS_BITS; k++)
			if ((entry >> (k + 1) & 1) != 0)
				relocations_add_word(r, t,
					next + k * RELOCATIONS_WORD);
		next += RELOCATIONS_BITS * RELOCATIONS_WORD;
	}
}

static int
relocations_compare_labels(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* ---- all of them ---- */

void
relocations_make(struct relocations *r, const struct code *code,
	unsigned (*way)(const char *name))
{
	struct relocations_tables t = { .code = code };

	*r = (struct relocations){ 0 };
	if (code->dynamic == 0)
		return;
	relocations_find_tables(&t);
	if (code->machine == EM_X86_64) {
		relocations_add_slots(r, &t, &t.calls, way);
		relocations_add_slots(r, &t, &t.all, way);
	}
	relocations_add_labels(r, &t);
	relocations_add_packed(r, &t);
	if (r->slots_n > 0)
		qsort(r->slots, r->slots_n, sizeof(*r->slots),
			relocations_compare_slots);
	if (r->labels_n > 0)
		qsort(r->labels, r->labels_n, sizeof(*r->labels),
			relocations_compare_labels);
}

void
relocations_clear(struct relocations *r)
{
	free(r->slots);
	free(r->labels);
	*r = (struct relocations){ 0 };
}

/* A stub is: optional endbr64, optional bnd, jmp *distance(%rip). */
unsigned
relocations_way(const struct relocations *r, const struct code *code,
	uint64_t address)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const struct relocations_slot *found;
	uint8_t bytes[11];
	struct relocations_slot key = { 0 };
	int32_t distance;
	size_t at;

	if (r->slots_n == 0 || !code_read(code, address, bytes, sizeof(bytes)))
		return 0;
	at = memcmp(bytes, endbr, sizeof(endbr)) == 0 ? sizeof(endbr) : 0;
	at += bytes[at] == 0xf2;
	if (bytes[at] != 0xff || bytes[at + 1] != 0x25)
		return 0;
	memcpy(&distance, &bytes[at + 2], sizeof(distance));
	key.at = address + at + 6 + (uint64_t)(int64_t)distance;
	found = bsearch(&key, r->slots, r->slots_n, sizeof(key),
		relocations_compare_slots);
	return found != NULL ? found->way : 0;
}
