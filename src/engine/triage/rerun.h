/*
 * rerun: the command that runs the input of a finding again.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_RERUN_H
#define CFUZZ_ENGINE_TRIAGE_RERUN_H

#include <stdbool.h>
#include <stddef.h>

struct engine;
struct finding;

#define RERUN_MAX 16384u /* bytes of the longest command, with the NUL */
/* Options of `cfuzz repro` that the finding needs, each after a blank. */
void rerun_options(const struct engine *e, const struct finding *f, char *buf,
	size_t size);
/* The shell command that runs a finding's input again. any: for any working
 * folder, with absolute paths; else with the paths that the user gave. */
void rerun_command(const struct engine *e, const struct finding *f, bool any,
	char *buf, size_t size);
/* Absolute path of a folder in the output directory; "" is the directory
 * itself. */
void rerun_path(const struct engine *e, const char *folder, char *buf,
	size_t size);

#endif
