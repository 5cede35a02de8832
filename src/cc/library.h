/*
 * library: the files that the -l options of a link name.
 *
 * The folders are those of -L, from all over the command. Of each folder the
 * linker takes libNAME.so, or else libNAME.a; after -Bstatic only the archive.
 * The system's own folders are not searched.
 */
#ifndef CFUZZ_CC_LIBRARY_H
#define CFUZZ_CC_LIBRARY_H

#include "cc/arguments.h"
#include "cc/compile_command.h"

/* Appends the paths of the libraries that exist. */
void library_list(const struct compile_command *command,
	struct arguments *paths);

#endif
