/*
 * program: the program under test. All texts and structs that it gives are
 * borrowed and live as long as the engine.
 */
#ifndef CFUZZ_ENGINE_PROGRAM_H
#define CFUZZ_ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/status.h"

struct engine;
struct input_file_spec;
struct isolation;
struct target_info;
struct tuple_types;
struct worker;

/* The path as the user gave it, and the file's name. */
const char *program_path(const struct engine *e);
const char *program_name(const struct engine *e);
char **program_argv(const struct engine *e); /* of the worker's process */
/* The arguments of the program, without its name. */
char **program_arguments(const struct engine *e);
char **program_envp(const struct engine *e); /* of the worker's process */
/* Gives it the memory limit of the settings, for processes that start later. */
void program_set_limit(struct engine *e);
/* Sets the working directory of the target; NULL: ours. keep_input: see struct
 * input_file_spec. Call it when the settings are known. */
void program_place(struct engine *e, const char *folder, bool keep_input);
void program_clear(struct engine *e);

/* NULL: it works in our working directory. */
const char *program_folder(const struct engine *e);
const struct target_info *program_info(const struct engine *e);
const struct isolation *program_isolation(const struct engine *e);
/* The way in which a program with a main() gets its inputs. */
const struct input_file_spec *program_input(const struct engine *e);
/* Does it read its inputs from a file, by "@@" or --input-file? */
bool program_reads_file(const struct engine *e);
/* The files of the workers, for the time that these run: input_file_take().
 * Leaving removes what is left there; the output directory must be locked. */
enum status program_take_input(struct engine *e, struct error *err) MUST_CHECK;
void program_leave_input(struct engine *e);

/* Known when the first worker is ready; before, empty or as the last run knew
 * them. */
/* The types of its parameters; n is 0 if it is not typed. */
const struct tuple_types *program_types(const struct engine *e);
const char *program_function(const struct engine *e); /* "": not typed */
const char *program_kind(const struct engine *e); /* see shared/wire/rpc.h */
/* Does each input run the whole program? */
bool program_has_main(const struct engine *e);
bool program_is_binary(const struct engine *e); /* without instrumentation */
const char *program_sanitizer(const struct engine *e); /* "": none */
bool program_is_instrumented(const struct engine *e);

/* Notes the facts that the first worker has reported, or that the last run
 * knew. */
void program_set_types(struct engine *e, const struct tuple_types *types,
	const char *function);
void program_set_kind(struct engine *e, const char *kind);
/*
 * Call each second while every input has the same coverage, with a worker that
 * runs and the executions of this run. True once, if the program does not use
 * its input.
 */
bool program_doubt_input(struct engine *e, const struct worker *worker,
	uint64_t executions);
void program_set_build(struct engine *e, const char *sanitizer,
	bool instrumented);
/* Was there a worker in this run that finds no leak? See unseen_leaks(). */
bool program_leaks_unseen(const struct engine *e);
void program_set_leaks_unseen(struct engine *e);

#endif
