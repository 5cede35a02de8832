/* debug_file: see debug_file.h. */
#include "symbols/debug_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_ORIGINS_MAX 8 /* references from a function to its declaration */

void
debug_file_open(struct debug_file *file, const struct libdw *dw,
	const char *path, int take_fd)
{
	*file = (struct debug_file){ .dw = dw };
	file->callbacks = (Dwfl_Callbacks){
		.find_elf = dw->dwfl_build_id_find_elf,
		.find_debuginfo = dw->dwfl_standard_find_debuginfo,
		.section_address = dw->dwfl_offline_section_address,
	};
	file->dwfl = dw->dwfl_begin(&file->callbacks);
	if (file->dwfl == NULL) {
		close(take_fd);
		return;
	}
	/* Base 0: addresses are those in the file. */
	file->module =
		dw->dwfl_report_elf(file->dwfl, path, path, take_fd, 0, true);
	if (file->module == NULL)
		close(take_fd);
	if (dw->dwfl_report_end(file->dwfl, NULL, NULL) != 0)
		file->module = NULL;
}

void
debug_file_close(struct debug_file *file)
{
	if (file->dwfl != NULL)
		file->dw->dwfl_end(file->dwfl);
	memset(file, 0, sizeof(*file));
}

bool
debug_file_has_id(const struct debug_file *file, const char *id)
{
	const unsigned char *bits = NULL;
	GElf_Addr at;
	char hex[3];
	int n;

	if (id[0] == '\0')
		return true;
	n = file->dw->dwfl_module_build_id(file->module, &bits, &at);
	if (n <= 0 || bits == NULL || strlen(id) != 2 * (size_t)n)
		return false;
	for (int i = 0; i < n; i++) {
		(void)snprintf(hex, sizeof(hex), "%02x", bits[i]);
		if (strncmp(hex, id + 2 * (size_t)i, 2) != 0)
			return false;
	}
	return true;
}

/* Finds the declaration of an inlined function or a member function. */
static void
debug_declaration(const struct libdw *dw, const Dwarf_Die *die,
	Dwarf_Die *declaration)
{
	Dwarf_Attribute attr;

	*declaration = *die;
	for (int i = 0; i < DEBUG_ORIGINS_MAX; i++) {
		if (dw->dwarf_attr(declaration, DW_AT_abstract_origin, &attr) ==
				NULL &&
			dw->dwarf_attr(declaration, DW_AT_specification,
				&attr) == NULL)
			return;
		if (dw->dwarf_formref_die(&attr, declaration) == NULL)
			return;
	}
}

static bool
debug_is_scope(const struct libdw *dw, Dwarf_Die *die)
{
	switch (dw->dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Writes the scopes of a declaration: "outer::inner::". */
static void
debug_add_scopes(const struct libdw *dw, const Dwarf_Die *declaration,
	char *buf, size_t size)
{
	Dwarf_Die *scopes = NULL, die = *declaration;
	int n = dw->dwarf_getscopes_die(&die, &scopes);
	const char *name;
	size_t len = 0;

	for (int i = n - 1; i > 0 && len < size; i--) {
		if (!debug_is_scope(dw, &scopes[i]))
			continue;
		name = dw->dwarf_diename(&scopes[i]);
		len += (size_t)snprintf(buf + len, size - len,
			"%s::", name != NULL ? name : "(anonymous)");
	}
	free(scopes);
}

static bool
debug_has_namespaces(const struct libdw *dw, Dwarf_Die *unit)
{
	switch (dw->dwarf_srclang(unit)) {
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

void
debug_file_name(const struct libdw *dw, const Dwarf_Die *unit,
	const Dwarf_Die *function, char *buf, size_t size)
{
	Dwarf_Die die = *function, root = *unit, declaration;
	const char *name = dw->dwarf_diename(&die);
	size_t len;

	buf[0] = '\0';
	if (name == NULL)
		return;
	if (debug_has_namespaces(dw, &root)) {
		debug_declaration(dw, &die, &declaration);
		debug_add_scopes(dw, &declaration, buf, size);
	}
	len = strlen(buf);
	(void)snprintf(buf + len, size - len, "%s", name);
}

uint32_t
debug_file_line(const struct libdw *dw, const Dwarf_Die *function)
{
	Dwarf_Die die = *function;
	int line = 0;

	if (dw->dwarf_decl_line(&die, &line) != 0 || line < 0)
		return 0;
	return (uint32_t)line;
}

void
debug_file_find_code(const struct libdw *dw, const Dwarf_Die *unit,
	Dwarf_Die *code)
{
	Dwarf_Die split = { 0 };
	uint8_t type = 0;

	*code = *unit;
	if (dw->dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL,
		    NULL) == 0 &&
		type == DW_UT_skeleton && split.addr != NULL)
		*code = split;
}

bool
debug_file_path(const struct libdw *dw, const Dwarf_Die *unit, const char *path,
	char *buf, size_t size)
{
	Dwarf_Attribute attr;
	Dwarf_Die die = *unit;
	const char *folder = NULL;
	int n;

	buf[0] = '\0';
	if (path == NULL || path[0] == '\0')
		return false;
	if (path[0] != '/' &&
		dw->dwarf_attr(&die, DW_AT_comp_dir, &attr) != NULL)
		folder = dw->dwarf_formstring(&attr);
	n = snprintf(buf, size, "%s%s%s", folder != NULL ? folder : "",
		folder != NULL ? "/" : "", path);
	if (n >= 0 && (size_t)n < size)
		return true;
	buf[0] = '\0';
	return false;
}
