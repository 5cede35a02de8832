/*
 * libdw: the functions of elfutils' libdw, which reads debug information,
 * loaded at run time.
 *
 * Loading libdw and the four libraries that it needs takes longer than the rest
 * of the program start. Only the helper needs it, and only for symbol names.
 * Without the library cfuzz works, without names.
 */
#ifndef CFUZZ_SYMBOLS_LIBDW_H
#define CFUZZ_SYMBOLS_LIBDW_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include "shared/status.h"

#define LIBDW_FILE "libdw.so.1"

/* clang-format off */
#define LIBDW_FUNCTIONS(one) \
	one(dwarf_attr) one(dwarf_child) one(dwarf_cu_info) one(dwarf_decl_file) \
	one(dwarf_decl_line) one(dwarf_diename) one(dwarf_filesrc) \
	one(dwarf_formref_die) one(dwarf_formstring) one(dwarf_formudata) \
	one(dwarf_getfuncs) one(dwarf_getscopes_die) \
	one(dwarf_getsrc_die) one(dwarf_getsrcfiles) one(dwarf_getsrclines) \
	one(dwarf_haspc) one(dwarf_lineaddr) one(dwarf_lineendsequence) \
	one(dwarf_lineno) one(dwarf_linesrc) one(dwarf_onesrcline) \
	one(dwarf_ranges) one(dwarf_siblingof) one(dwarf_srclang) one(dwarf_tag) \
	one(dwfl_begin) one(dwfl_build_id_find_elf) one(dwfl_end) \
	one(dwfl_module_addrdie) one(dwfl_module_addrinfo) \
	one(dwfl_module_build_id) one(dwfl_module_getsym) \
	one(dwfl_module_getsymtab) one(dwfl_module_info) \
	one(dwfl_module_nextcu) one(dwfl_offline_section_address) \
	one(dwfl_report_elf) one(dwfl_report_end) \
	one(dwfl_standard_find_debuginfo)
/* clang-format on */

/* NOLINTNEXTLINE(bugprone-macro-parentheses): it declares a name */
#define LIBDW_MEMBER(name) __typeof__(name) *name;
struct libdw {
	LIBDW_FUNCTIONS(LIBDW_MEMBER)
};

/* `file` is LIBDW_FILE, except in tests. The library is never unloaded.
 * E_NOT_FOUND: there is no such library, or it lacks a function. */
enum status libdw_load(struct libdw *dw, const char *file, struct error *err)
	MUST_CHECK;

/* Loads LIBDW_FILE in the first call; NULL: not available. */
const struct libdw *libdw_get(void);

#endif
