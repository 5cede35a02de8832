/*
 * debug_file: one ELF file and its debug information; addresses are those in
 * the file.
 *
 * Only for the helper process: it parses untrusted files with a large library.
 */
#ifndef CFUZZ_SYMBOLS_DEBUG_FILE_H
#define CFUZZ_SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "symbols/libdw.h"

struct debug_file {
	const struct libdw *dw;
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: not an ELF file */
	Dwfl_Callbacks callbacks;
};

/* Takes the descriptor. `module` is NULL if this fails; the caller closes the
 * file in any case. The struct must not move afterwards. */
void debug_file_open(struct debug_file *file, const struct libdw *dw,
	const char *path, int take_fd);
/* A zeroed struct is fine; it is zeroed afterwards. */
void debug_file_close(struct debug_file *file);

/* Is `id`, in hex, the build-id of the file? "" matches any. */
bool debug_file_has_id(const struct debug_file *file, const char *id);

/*
 * Sets *code to the unit that has the functions of `unit`: to the one in a
 * split file (-gsplit-dwarf), or else to `unit` itself.
 */
void debug_file_find_code(const struct libdw *dw, const Dwarf_Die *unit,
	Dwarf_Die *code);

/*
 * Writes "outer::inner::name" of a function of the unit, cut at size - 1 bytes;
 * "" if it has no name.
 */
void debug_file_name(const struct libdw *dw, const Dwarf_Die *unit,
	const Dwarf_Die *function, char *buf, size_t size);

/*
 * Writes the path of a source file; a relative path is joined with the
 * compiler's working directory. False: the path is unknown or too long, and buf
 * is "", because a cut path could name another file.
 */
bool debug_file_path(const struct libdw *dw, const Dwarf_Die *unit,
	const char *path, char *buf, size_t size);

/* The line where a function, inlined or not, is declared; 0: unknown. */
uint32_t debug_file_line(const struct libdw *dw, const Dwarf_Die *function);

#endif
