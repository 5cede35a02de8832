/* stubs: see stubs.h. */
#include "symbols/stubs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define STUBS_DYNAMIC_MAX 256u     /* entries of the dynamic section */
#define STUBS_SLOTS_MAX (1u << 16) /* of a table */
#define STUBS_NAME_MAX 64u

/* Addresses of the module's tables. */
struct stubs_tables {
	const struct code *code;
	uint64_t symbols, strings, calls, calls_size, all, all_size;
};

static void
stubs_find_tables(struct stubs_tables *t)
{
	Elf64_Dyn entry;

	for (unsigned i = 0; i < STUBS_DYNAMIC_MAX &&
		code_read(t->code, t->code->dynamic + i * sizeof(entry), &entry,
			sizeof(entry)) &&
		entry.d_tag != DT_NULL;
		i++) {
		uint64_t value = entry.d_un.d_val;

		switch (entry.d_tag) {
		case DT_SYMTAB:
			t->symbols = value;
			break;
		case DT_STRTAB:
			t->strings = value;
			break;
		case DT_JMPREL:
			t->calls = value;
			break;
		case DT_PLTRELSZ:
			t->calls_size = value;
			break;
		case DT_RELA:
			t->all = value;
			break;
		case DT_RELASZ:
			t->all_size = value;
			break;
		default:
			break;
		}
	}
}

/* False: no name, or a name that is too long. */
static bool
stubs_name(const struct stubs_tables *t, uint64_t number, char *name)
{
	Elf64_Sym symbol;

	if (number == 0 ||
		!code_read(t->code, t->symbols + number * sizeof(symbol),
			&symbol, sizeof(symbol)))
		return false;
	for (size_t i = 0; i < STUBS_NAME_MAX; i++) {
		if (!code_read(t->code, t->strings + symbol.st_name + i,
			    &name[i], 1))
			return false;
		if (name[i] == '\0')
			return true;
	}
	return false;
}

static void
stubs_add(struct stubs *stubs, const struct stubs_tables *t, uint64_t table,
	uint64_t size, unsigned (*way)(const char *name))
{
	char name[STUBS_NAME_MAX];
	Elf64_Rela slot;

	for (uint64_t i = 0; i < size / sizeof(slot) && i < STUBS_SLOTS_MAX;
		i++) {
		struct stub stub = { 0 };

		if (!code_read(t->code, table + i * sizeof(slot), &slot,
			    sizeof(slot)))
			return;
		stub.slot = slot.r_offset;
		if (stubs_name(t, ELF64_R_SYM(slot.r_info), name))
			stub.way = way(name);
		if (stub.way == 0)
			continue;
		stubs->stubs =
			xgrow(stubs->stubs, stubs->n, 1, sizeof(*stubs->stubs));
		stubs->stubs[stubs->n++] = stub;
	}
}

static int
stubs_compare(const void *a, const void *b)
{
	const struct stub *x = a, *y = b;

	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

void
stubs_make(struct stubs *stubs, const struct code *code,
	unsigned (*way)(const char *name))
{
	struct stubs_tables t = { .code = code };

	*stubs = (struct stubs){ 0 };
	if (code->dynamic == 0 || code->machine != EM_X86_64)
		return;
	stubs_find_tables(&t);
	stubs_add(stubs, &t, t.calls, t.calls_size, way);
	stubs_add(stubs, &t, t.all, t.all_size, way);
	if (stubs->n > 0)
		qsort(stubs->stubs, stubs->n, sizeof(*stubs->stubs),
			stubs_compare);
}

void
stubs_clear(struct stubs *stubs)
{
	free(stubs->stubs);
	*stubs = (struct stubs){ 0 };
}

/* A stub is: optional endbr64, optional bnd, jmp *distance(%rip). */
unsigned
stubs_way(const struct stubs *stubs, const struct code *code, uint64_t address)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const struct stub *found;
	uint8_t bytes[11];
	struct stub key = { 0 };
	int32_t distance;
	size_t at;

	if (stubs->n == 0 || !code_read(code, address, bytes, sizeof(bytes)))
		return 0;
	at = memcmp(bytes, endbr, sizeof(endbr)) == 0 ? sizeof(endbr) : 0;
	at += bytes[at] == 0xf2;
	if (bytes[at] != 0xff || bytes[at + 1] != 0x25)
		return 0;
	memcpy(&distance, &bytes[at + 2], sizeof(distance));
	key.slot = address + at + 6 + (uint64_t)(int64_t)distance;
	found = bsearch(&key, stubs->stubs, stubs->n, sizeof(key),
		stubs_compare);
	return found != NULL ? found->way : 0;
}
