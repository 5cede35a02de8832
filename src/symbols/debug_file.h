/*
 * debug_file: one ELF file and its debug information, where addresses are
 * those in the file.
 *
 * Foreign input to a large library: for the helper alone.
 */
#ifndef CFUZZ_SYMBOLS_DEBUG_FILE_H
#define CFUZZ_SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "symbols/libdw.h"

struct debug_file {
	const struct libdw *dw;
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: no ELF file */
	Dwfl_Callbacks callbacks;
};

/* Takes the descriptor. The struct must stay where it is. */
void debug_file_open(struct debug_file *file, const struct libdw *dw,
	const char *path, int take_fd);
/* All zero is fine, and what is left. */
void debug_file_close(struct debug_file *file);

/* Is its build-id this one? "" is any. */
bool debug_file_has_id(const struct debug_file *file, const char *id);

/* Functions of a unit may stand in a file of their own (-gsplit-dwarf). */
void debug_file_find_code(const struct libdw *dw, const Dwarf_Die *unit,
	Dwarf_Die *code);

/*
 * "outer::inner::name" of a function of the unit, cut at size - 1 bytes; ""
 * if it has no name.
 */
void debug_file_name(const struct libdw *dw, const Dwarf_Die *unit,
	const Dwarf_Die *function, char *buf, size_t size);

/* Where the compiler found a file: a relative path begins where it was called.
 * False: not known, or no room, since a part would name another file. */
bool debug_file_path(const struct libdw *dw, const Dwarf_Die *unit,
	const char *path, char *buf, size_t size);

/* The line where a function, inlined or not, is defined; 0: not known. */
uint32_t debug_file_line(const struct libdw *dw, const Dwarf_Die *function);

#endif
