/*
 * resolver: see resolver.h. Each file has its own libdwfl session, which uses
 * the addresses in the file; the last few files stay open.
 */
#include "symbols/resolver.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "symbols/debug_file.h"

#define RESOLVER_FILES 4
#define RESOLVER_NESTED_MAX 256 /* scopes in each other */

struct resolver_file {
	char path[PATH_MAX];
	struct stat st; /* when it was opened */
	uint64_t used;  /* 0: free */
	struct debug_file debug;
};

struct resolver {
	struct resolver_file files[RESOLVER_FILES];
	uint64_t clock;
	const struct libdw *dw; /* NULL: not available */
};

/* A search: the code at one address. */
struct resolver_query {
	const struct libdw *dw;
	Dwfl_Module *module;
	GElf_Addr address;
	Dwarf_Die unit; /* has the line table */
	Dwarf_Die code; /* has the functions: the same or the split unit */
	Dwarf_Addr bias;
};

struct resolver *
resolver_create(void)
{
	struct resolver *r = xcalloc(1, sizeof(*r));

	r->dw = libdw_get();
	return r;
}

bool
resolver_is_blind(const struct resolver *r)
{
	return r->dw == NULL;
}

static void
resolver_close(struct resolver_file *file)
{
	debug_file_close(&file->debug);
	memset(file, 0, sizeof(*file));
}

void
resolver_destroy(struct resolver *r)
{
	if (r == NULL)
		return;
	for (int i = 0; i < RESOLVER_FILES; i++)
		resolver_close(&r->files[i]);
	free(r);
}

/* ---- files ---- */

static bool
resolver_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
		a->st_size == b->st_size &&
		a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
		a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static struct resolver_file *
resolver_slot(struct resolver *r, const char *path, const struct stat *st)
{
	struct resolver_file *oldest = &r->files[0];

	for (int i = 0; i < RESOLVER_FILES; i++) {
		struct resolver_file *file = &r->files[i];

		if (file->used > 0 && strcmp(file->path, path) == 0 &&
			resolver_same(&file->st, st))
			return file;
		if (file->used < oldest->used)
			oldest = file;
	}
	resolver_close(oldest);
	return oldest;
}

static struct resolver_file *
resolver_open(struct resolver *r, const char *path)
{
	struct resolver_file *file;
	struct stat st;
	int fd;

	if (strlen(path) >= sizeof(file->path))
		return NULL;
	fd = fd_open_regular(path, &st);
	if (fd < 0)
		return NULL;
	file = resolver_slot(r, path, &st);
	if (file->used > 0) {
		close(fd);
	} else {
		(void)snprintf(file->path, sizeof(file->path), "%s", path);
		file->st = st;
		debug_file_open(&file->debug, r->dw, path, fd);
	}
	file->used = ++r->clock;
	return file;
}

/* ---- names ---- */

static void
resolver_set_file(struct symbol *symbol, const struct resolver_query *query,
	const char *path, int line)
{
	if (path == NULL || line < 0)
		return;
	(void)snprintf(symbol->file, sizeof(symbol->file), "%s",
		basename(path));
	(void)debug_file_path(query->dw, &query->unit, path, symbol->path,
		sizeof(symbol->path));
	symbol->line = (uint32_t)line;
}

/* ---- debug information ---- */

static bool
resolver_covers(const struct resolver_query *query, Dwarf_Die *unit)
{
	return query->dw->dwarf_haspc(unit, query->address - query->bias) > 0;
}

/*
 * The index of address ranges may miss units and then returns a neighbour. In
 * that case search all units.
 */
static bool
resolver_find_unit(struct resolver_query *query)
{
	Dwarf_Die *unit = query->dw->dwfl_module_addrdie(query->module,
		query->address, &query->bias);

	if (unit == NULL || !resolver_covers(query, unit)) {
		unit = NULL;
		do
			unit = query->dw->dwfl_module_nextcu(query->module,
				unit, &query->bias);
		while (unit != NULL && !resolver_covers(query, unit));
	}
	if (unit == NULL)
		return false;
	query->unit = *unit;
	return true;
}

/*
 * Finds the innermost function or block around the address. dwarf_getscopes()
 * finds no function in a namespace of clang, and none where the compiler has
 * inlined a function of another unit.
 */
static bool
resolver_find_inner(const struct resolver_query *query, const Dwarf_Die *around,
	int depth, Dwarf_Die *inner)
{
	Dwarf_Die parent = *around, die;

	if (depth == 0 || query->dw->dwarf_child(&parent, &die) != 0)
		return false;
	do {
		if (query->dw->dwarf_haspc(&die, query->address - query->bias) >
			0) {
			*inner = die;
			(void)resolver_find_inner(query, &die, depth - 1,
				inner);
			return true;
		}
		if (query->dw->dwarf_tag(&die) == DW_TAG_namespace &&
			resolver_find_inner(query, &die, depth - 1, inner))
			return true;
	} while (query->dw->dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* The scopes from the innermost to the root. */
static int
resolver_scopes(const struct resolver_query *query, Dwarf_Die **path)
{
	Dwarf_Die inner;

	*path = NULL;
	if (!resolver_find_inner(query, &query->code, RESOLVER_NESTED_MAX,
		    &inner))
		return 0;
	return query->dw->dwarf_getscopes_die(&inner, path);
}

static void
resolver_set_line(struct symbol *symbol, struct resolver_query *query)
{
	Dwarf_Line *line = query->dw->dwarf_getsrc_die(&query->unit,
		query->address - query->bias);
	int number = 0;

	if (line == NULL || query->dw->dwarf_lineno(line, &number) != 0)
		return;
	resolver_set_file(symbol, query,
		query->dw->dwarf_linesrc(line, NULL, NULL), number);
}

/* Sets file and line of the call of an inlined function. */
static void
resolver_set_call(struct symbol *symbol, struct resolver_query *query,
	Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t n = 0;

	if (query->dw->dwarf_formudata(query->dw->dwarf_attr(die,
					       DW_AT_call_file, &attr),
		    &file) != 0 ||
		query->dw->dwarf_formudata(query->dw->dwarf_attr(die,
						   DW_AT_call_line, &attr),
			&line) != 0 ||
		query->dw->dwarf_getsrcfiles(&query->code, &files, &n) != 0 ||
		file >= n || line > INT_MAX)
		return;
	resolver_set_file(symbol, query,
		query->dw->dwarf_filesrc(files, file, NULL, NULL), (int)line);
}

static uint32_t
resolver_walk(struct resolver_query *query, struct symbol *symbols,
	uint32_t max)
{
	Dwarf_Die *path;
	int scopes_n = resolver_scopes(query, &path), tag;
	uint32_t n = 0;

	resolver_set_line(&symbols[0], query);
	for (int i = 0; i < scopes_n && n < max; i++) {
		tag = query->dw->dwarf_tag(&path[i]);
		if (tag != DW_TAG_inlined_subroutine &&
			tag != DW_TAG_subprogram)
			continue;
		debug_file_name(query->dw, &query->unit, &path[i],
			symbols[n].function, SYMBOL_FUNCTION_MAX);
		symbols[n].declared = debug_file_line(query->dw, &path[i]);
		n++;
		if (tag == DW_TAG_subprogram)
			break;
		if (n < max)
			resolver_set_call(&symbols[n], query, &path[i]);
	}
	free(path);
	/* A line without a function is useful as well. */
	return n > 0 ? n : symbols[0].file[0] != '\0';
}

/* ---- the symbol table ---- */

static bool
resolver_add_elf_symbol(struct resolver_query *query, struct symbol *symbol)
{
	const char *name;
	GElf_Off distance = 0;
	GElf_Sym elf;

	name = query->dw->dwfl_module_addrinfo(query->module, query->address,
		&distance, &elf, NULL, NULL, NULL);
	if (name == NULL || name[0] == '\0' ||
		(elf.st_size > 0 && distance >= elf.st_size))
		return false;
	(void)snprintf(symbol->function, sizeof(symbol->function), "%s", name);
	symbol->offset = distance;
	return true;
}

uint32_t
resolver_find(struct resolver *r, const char *path, const char *id,
	uint64_t offset, struct symbol *symbols, uint32_t max)
{
	struct resolver_file *file =
		r->dw == NULL ? NULL : resolver_open(r, path);
	struct resolver_query query = { .dw = r->dw, .address = offset };
	Dwarf_Addr start, end;
	uint32_t n = 0;

	memset(symbols, 0, max * sizeof(*symbols));
	if (file == NULL || file->debug.module == NULL || max == 0)
		return 0;
	query.module = file->debug.module;
	if (r->dw->dwfl_module_info(file->debug.module, NULL, &start, &end,
		    NULL, NULL, NULL, NULL) == NULL ||
		offset < start || offset >= end)
		return 0;
	if (!debug_file_has_id(&file->debug, id))
		return 0;
	if (resolver_find_unit(&query)) {
		debug_file_find_code(query.dw, &query.unit, &query.code);
		n = resolver_walk(&query, symbols, max);
	}
	/* An innermost function without a name is not inlined. */
	if (n == 0 || symbols[0].function[0] == '\0')
		n = resolver_add_elf_symbol(&query, &symbols[0]) || n > 0;
	return n;
}
