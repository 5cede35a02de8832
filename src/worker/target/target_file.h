/*
 * target_file: opens the file of a target, and refuses what may not be run.
 */
#ifndef CFUZZ_WORKER_TARGET_TARGET_FILE_H
#define CFUZZ_WORKER_TARGET_TARGET_FILE_H

#include <stdint.h>

#include "shared/status.h"

/*
 * shown: the name for people. Sets *fd, which the caller closes also after an
 * error (-1: not open), and the size in bytes. E_TARGET: there is no such file,
 * or it is no program that the user may run with their own rights.
 */
enum status target_file_open(const char *path, const char *shown, int *fd,
	uint64_t *size, struct error *err) MUST_CHECK;

#endif
