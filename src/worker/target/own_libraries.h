/*
 * own_libraries: the shared libraries that a user builds beside a program.
 *
 * The program's build-id says nothing of them. A library is the user's own if
 * the program, or a library of its own, names the folder (DT_RUNPATH, DT_RPATH,
 * or a path as name), or LD_LIBRARY_PATH does; others are the system's. They are
 * looked for as ld.so(8) says. Those that a program loads with dlopen() are not
 * known before it runs.
 */
#ifndef CFUZZ_WORKER_TARGET_OWN_LIBRARIES_H
#define CFUZZ_WORKER_TARGET_OWN_LIBRARIES_H

#include "worker/target/elf_file.h"

/*
 * Changes the id of a program, so that it stands for the libraries too: a hash of
 * it and of each library's name and id. Without such libraries it stays. path is
 * the program's. library_path is LD_LIBRARY_PATH; NULL: not set. Files that
 * cannot be read are passed over.
 */
void own_libraries_add(const struct elf_file *program, const char *path,
	const char *library_path, char id[ELF_FILE_ID_SIZE]);

#endif
