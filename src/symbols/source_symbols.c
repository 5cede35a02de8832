/* source_symbols: see source_symbols.h. */
#include "symbols/source_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"

#define SYMBOLS_NONE SIZE_MAX

static int
symbols_rank(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return 0;
	case STB_WEAK:
		return 1;
	default:
		return 2;
	}
}

static bool
symbols_is_place(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	default:
		return symbol->st_shndx != SHN_UNDEF &&
			symbol->st_size <= UINT64_MAX - symbol->st_value;
	}
}

/* Among symbols with one start, the best one comes last: the smallest,
 * exported, first in the file. */
static int
symbols_compare(const void *a, const void *b)
{
	const struct source_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return y->index - x->index;
}

/* The last symbol, from i back, that ends behind the address, which is not before
 * the start of i. One before the first is SYMBOLS_NONE. */
static size_t
symbols_around(const struct source_symbols *s, size_t i, uint64_t address)
{
	while (i != SYMBOLS_NONE && s->symbols[i].end <= address)
		i = s->symbols[i].around;
	return i;
}

static void
symbols_nest(struct source_symbols *s)
{
	struct source_symbol *symbol;
	uint64_t reach = 0, label = 0;

	for (size_t i = 0; i < s->n; i++) {
		symbol = &s->symbols[i];
		if (symbol->end > reach)
			reach = symbol->end;
		if (symbol->end == symbol->start)
			label = symbol->start;
		symbol->reach = reach;
		symbol->label = label;
		symbol->around = symbols_around(s, i - 1, symbol->start);
	}
}

void
source_symbols_make(struct source_symbols *s, const struct debug_file *file)
{
	const struct libdw *dw = file->dw;
	int n = dw->dwfl_module_getsymtab(file->module);
	GElf_Sym symbol;
	const char *name;

	s->file = file;
	if (n <= 1)
		return;
	s->symbols = xcalloc((size_t)n, sizeof(*s->symbols));
	for (int i = 1; i < n; i++) {
		name = dw->dwfl_module_getsym(file->module, i, &symbol, NULL);
		if (name == NULL || name[0] == '\0' ||
			!symbols_is_place(&symbol))
			continue;
		s->symbols[s->n++] = (struct source_symbol){
			.start = symbol.st_value,
			.end = symbol.st_value + symbol.st_size,
			.name = name,
			.rank = symbols_rank(&symbol),
			.index = i,
		};
	}
	if (s->n > 0)
		qsort(s->symbols, s->n, sizeof(*s->symbols), symbols_compare);
	symbols_nest(s);
}

void
source_symbols_clear(struct source_symbols *s)
{
	free(s->symbols);
	memset(s, 0, sizeof(*s));
}

/* The library knows sections: a label ends with its own. */
static const char *
symbols_find_label(const struct source_symbols *s, uint64_t address,
	uint64_t *start)
{
	GElf_Off distance = 0;
	GElf_Sym symbol;
	const char *name = s->file->dw->dwfl_module_addrinfo(s->file->module,
		address, &distance, &symbol, NULL, NULL, NULL);

	*start = address - distance;
	return name;
}

const char *
source_symbols_find(const struct source_symbols *s, uint64_t address,
	uint64_t *start)
{
	size_t first, i, best = SYMBOLS_NONE;

	SEARCH_FIRST(first, s->n, s->symbols[first].start <= address);
	for (i = symbols_around(s, first - 1, address); i != SYMBOLS_NONE;
		i = symbols_around(s, s->symbols[i].around, address))
		if (best == SYMBOLS_NONE ||
			(s->symbols[best].rank == 0 && s->symbols[i].rank > 0))
			best = i;
	if (best != SYMBOLS_NONE) {
		*start = s->symbols[best].start;
		return s->symbols[best].name;
	}
	return first > 0 &&
			s->symbols[first - 1].label >=
				s->symbols[first - 1].reach
		? symbols_find_label(s, address, start)
		: NULL;
}
