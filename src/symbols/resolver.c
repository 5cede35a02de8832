/*
 * resolver: see resolver.h. A file is one libdwfl session of its own, opened
 * where the addresses are those in the file; the last few stay open.
 */
#include "symbols/resolver.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <elfutils/libdwfl.h>

#include "base/xmalloc.h"

#define RESOLVER_FILES 4
#define RESOLVER_ORIGINS_MAX 8 /* from a function to where it is declared */

struct resolver_file {
	char path[PATH_MAX];
	struct stat st; /* what it was when it was opened */
	uint64_t used;  /* 0: free */
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: no ELF file, remembered as such */
};

struct resolver {
	struct resolver_file files[RESOLVER_FILES];
	uint64_t clock;
};

/* Where a search stands: the code at one address. */
struct resolver_place {
	Dwfl_Module *module;
	GElf_Addr address;
	Dwarf_Die unit; /* with the line table */
	Dwarf_Die code; /* with the functions: the same, or the split one */
	Dwarf_Addr bias;
};

static const Dwfl_Callbacks resolver_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct resolver *
resolver_create(void)
{
	return xcalloc(1, sizeof(struct resolver));
}

static void
resolver_close(struct resolver_file *file)
{
	if (file->dwfl != NULL)
		dwfl_end(file->dwfl);
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

/* Takes the descriptor. */
static void
resolver_load(struct resolver_file *file, int take_fd)
{
	file->dwfl = dwfl_begin(&resolver_callbacks);
	if (file->dwfl == NULL) {
		close(take_fd);
		return;
	}
	/* At 0, where an address is what it is in the file. */
	file->module = dwfl_report_elf(file->dwfl, file->path, file->path,
		take_fd, 0, true);
	if (file->module == NULL)
		close(take_fd);
	if (dwfl_report_end(file->dwfl, NULL, NULL) != 0)
		file->module = NULL;
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
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	file = resolver_slot(r, path, &st);
	if (file->used > 0) {
		close(fd);
	} else {
		(void)snprintf(file->path, sizeof(file->path), "%s", path);
		file->st = st;
		resolver_load(file, fd);
	}
	file->used = ++r->clock;
	return file;
}

static bool
resolver_has_id(Dwfl_Module *module, const char *id)
{
	const unsigned char *bits = NULL;
	GElf_Addr at;
	int n = dwfl_module_build_id(module, &bits, &at);
	char hex[3];

	if (n <= 0 || bits == NULL || strlen(id) != 2 * (size_t)n)
		return false;
	for (int i = 0; i < n; i++) {
		(void)snprintf(hex, sizeof(hex), "%02x", bits[i]);
		if (strncmp(hex, id + 2 * (size_t)i, 2) != 0)
			return false;
	}
	return true;
}

/* ---- names ---- */

static void
resolver_set_file(struct symbol *symbol, const char *path, int line)
{
	const char *slash;

	if (path == NULL || line < 0)
		return;
	slash = strrchr(path, '/');
	(void)snprintf(symbol->file, sizeof(symbol->file), "%s",
		slash != NULL ? slash + 1 : path);
	symbol->line = (uint32_t)line;
}

/* Where a function that is inlined, or a member, was declared. */
static void
resolver_declaration(const Dwarf_Die *die, Dwarf_Die *declaration)
{
	Dwarf_Attribute attr;

	*declaration = *die;
	for (int i = 0; i < RESOLVER_ORIGINS_MAX; i++) {
		if (dwarf_attr(declaration, DW_AT_abstract_origin, &attr) ==
				NULL &&
			dwarf_attr(declaration, DW_AT_specification, &attr) ==
				NULL)
			return;
		if (dwarf_formref_die(&attr, declaration) == NULL)
			return;
	}
}

static bool
resolver_is_scope(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* "outer::inner::" of what stands around a declaration. */
static void
resolver_add_scopes(const Dwarf_Die *declaration, char *buf, size_t size)
{
	Dwarf_Die *scopes = NULL, die = *declaration;
	int n = dwarf_getscopes_die(&die, &scopes);
	const char *name;
	size_t len = 0;

	for (int i = n - 1; i > 0 && len < size; i--) {
		if (!resolver_is_scope(&scopes[i]))
			continue;
		name = dwarf_diename(&scopes[i]);
		len += (size_t)snprintf(buf + len, size - len,
			"%s::", name != NULL ? name : "(anonymous)");
	}
	free(scopes);
}

static bool
resolver_has_namespaces(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

static void
resolver_set_function(struct symbol *symbol, struct resolver_place *place,
	Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die declaration;
	size_t len;

	if (name == NULL)
		return;
	if (resolver_has_namespaces(&place->unit)) {
		resolver_declaration(die, &declaration);
		resolver_add_scopes(&declaration, symbol->function,
			sizeof(symbol->function));
	}
	len = strlen(symbol->function);
	(void)snprintf(symbol->function + len, sizeof(symbol->function) - len,
		"%s", name);
}

/* ---- debug information ---- */

static bool
resolver_covers(const struct resolver_place *place, Dwarf_Die *unit)
{
	return dwarf_haspc(unit, place->address - place->bias) > 0;
}

/*
 * The table of ranges may leave units out, and then names a neighbour: look
 * at each unit.
 */
static bool
resolver_find_unit(struct resolver_place *place)
{
	Dwarf_Die *unit = dwfl_module_addrdie(place->module, place->address,
		&place->bias);

	if (unit == NULL || !resolver_covers(place, unit)) {
		unit = NULL;
		do
			unit = dwfl_module_nextcu(place->module, unit,
				&place->bias);
		while (unit != NULL && !resolver_covers(place, unit));
	}
	if (unit == NULL)
		return false;
	place->unit = *unit;
	return true;
}

/* Functions may stand in a file of their own (-gsplit-dwarf). */
static void
resolver_find_code(struct resolver_place *place)
{
	Dwarf_Die split = { 0 };
	uint8_t type = 0;

	place->code = place->unit;
	if (dwarf_cu_info(place->unit.cu, NULL, &type, NULL, &split, NULL, NULL,
		    NULL) == 0 &&
		type == DW_UT_skeleton && split.addr != NULL)
		place->code = split;
}

/* From the innermost scope outwards, to the root. */
static int
resolver_scopes(struct resolver_place *place, Dwarf_Die **path)
{
	Dwarf_Die *scopes = NULL, inner;
	int n = dwarf_getscopes(&place->code, place->address - place->bias,
		&scopes);

	*path = NULL;
	if (n <= 0)
		return 0;
	inner = scopes[0];
	free(scopes);
	return dwarf_getscopes_die(&inner, path);
}

static void
resolver_set_line(struct symbol *symbol, struct resolver_place *place)
{
	Dwarf_Line *line =
		dwarf_getsrc_die(&place->unit, place->address - place->bias);
	int number = 0;

	if (line == NULL || dwarf_lineno(line, &number) != 0)
		return;
	resolver_set_file(symbol, dwarf_linesrc(line, NULL, NULL), number);
}

/* Where an inlined function was called. */
static void
resolver_set_call(struct symbol *symbol, struct resolver_place *place,
	Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t n = 0;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) !=
			0 ||
		dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr),
			&line) != 0 ||
		dwarf_getsrcfiles(&place->code, &files, &n) != 0 || file >= n ||
		line > INT_MAX)
		return;
	resolver_set_file(symbol, dwarf_filesrc(files, file, NULL, NULL),
		(int)line);
}

static uint32_t
resolver_walk(struct resolver_place *place, struct symbol *symbols,
	uint32_t max)
{
	Dwarf_Die *path;
	int scopes_n = resolver_scopes(place, &path), tag;
	uint32_t n = 0;

	resolver_set_line(&symbols[0], place);
	for (int i = 0; i < scopes_n && n < max; i++) {
		tag = dwarf_tag(&path[i]);
		if (tag != DW_TAG_inlined_subroutine &&
			tag != DW_TAG_subprogram)
			continue;
		resolver_set_function(&symbols[n++], place, &path[i]);
		if (tag == DW_TAG_subprogram)
			break;
		if (n < max)
			resolver_set_call(&symbols[n], place, &path[i]);
	}
	free(path);
	/* A line without a function is worth having, too. */
	return n > 0 ? n : symbols[0].file[0] != '\0';
}

/* ---- the symbol table ---- */

static bool
resolver_add_elf_symbol(struct resolver_place *place, struct symbol *symbol)
{
	const char *name;
	GElf_Off distance = 0;
	GElf_Sym elf;

	name = dwfl_module_addrinfo(place->module, place->address, &distance,
		&elf, NULL, NULL, NULL);
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
	struct resolver_file *file = resolver_open(r, path);
	struct resolver_place place = { .address = offset };
	Dwarf_Addr start, end;
	uint32_t n = 0;

	memset(symbols, 0, max * sizeof(*symbols));
	if (file == NULL || file->module == NULL || max == 0)
		return 0;
	place.module = file->module;
	if (dwfl_module_info(file->module, NULL, &start, &end, NULL, NULL, NULL,
		    NULL) == NULL ||
		offset < start || offset >= end)
		return 0;
	if (id[0] != '\0' && !resolver_has_id(file->module, id))
		return 0;
	if (resolver_find_unit(&place)) {
		resolver_find_code(&place);
		n = resolver_walk(&place, symbols, max);
	}
	/* Innermost without a name: it is no inlined one. */
	if (n == 0 || symbols[0].function[0] == '\0')
		n = resolver_add_elf_symbol(&place, &symbols[0]) || n > 0;
	return n;
}
