/*
 * export: writes a folder with all that a bug report needs.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_EXPORT_H
#define CFUZZ_ENGINE_TRIAGE_EXPORT_H

#include <stdbool.h>

#include <jansson.h>

#include "shared/status.h"

struct engine;
struct export;
struct finding;

/* The export is done, or has failed. */
typedef void export_done_fn(struct engine *e, json_int_t id, bool ok,
	const char *text);

/*
 * Writes all that a bug report needs into a new folder. folder may be NULL.
 * Calls done(), which may be NULL, with the id at the end. One at a time.
 */
enum status export_begin(struct engine *e, const struct finding *f,
	const char *folder, export_done_fn *done, json_int_t id,
	struct error *err) MUST_CHECK;
/* The same step by step: call export_step() until it returns false. NULL: see
 * err. */
struct export *export_create(struct engine *e, const struct finding *f,
	const char *folder, struct error *err);
bool export_step(void *x);
const char *export_path(const struct export *x);
const struct error *export_error(const struct export *x);
void export_destroy(struct export *x); /* NULL is fine */

#endif
