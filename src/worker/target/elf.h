/*
 * elf: checks without running it that a file is a target built for cfuzz.
 *
 * The file is not trusted: every offset and length in it is checked before use.
 * Each reason to refuse it has its own error message.
 */
#ifndef CFUZZ_WORKER_TARGET_ELF_H
#define CFUZZ_WORKER_TARGET_ELF_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "shared/status.h"
#include "worker/target/elf_file.h"

#define TARGET_ID_SIZE ELF_FILE_ID_SIZE

struct target_info {
	int fd; /* of the file, close-on-exec; owned; -1: not open */
	char path[PATH_MAX];     /* absolute; a link as last part is kept */
	char name[NAME_MAX + 1]; /* the last part */
	char id[TARGET_ID_SIZE]; /* build-id, else sha256 of the file */
	/* The build that findings and coverage belong to: the id, or, with
	 * libraries of the user's own, a hash of it and of their names and
	 * ids, see own_libraries.h. */
	char build[TARGET_ID_SIZE];
	bool has_build_id;
	uint32_t features; /* NOTE_FEATURE_… */
	/* The adapter that runs a program of another fuzzer, close-on-exec,
	 * owned; 0: none, the target is a worker itself. */
	int adapter_fd;
	/* The shared object to load into a program without instrumentation;
	 * "": the target is a worker itself. */
	char preload[PATH_MAX];
};

/*
 * Opens the target, which is searched for as in a shell, and reads its note.
 * Fails with E_TARGET and a message that names the fault and the remedy.
 * Nothing stays open then.
 */
enum status target_check(const char *name, struct target_info *info,
	struct error *err) MUST_CHECK;

/* Closes fd. May be called after a failed check, and twice. */
void target_info_clear(struct target_info *info);

#endif
