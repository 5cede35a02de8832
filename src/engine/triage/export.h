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

/* The export is done, or has failed: text says which. */
typedef void export_done_fn(struct engine *e, json_int_t id, bool ok,
	const char *text);

/*
 * Writes all that a bug report needs into a folder; NULL: a new one below
 * "export" in the output directory. At the end the loop calls done(), which may
 * be NULL, with the id. E_BUSY: another export is under way. E_STATE: the
 * finding's bytes are only on disk. E_EXISTS: the folder is not empty.
 */
enum status export_begin(struct engine *e, const struct finding *f,
	const char *folder, export_done_fn *done, json_int_t id,
	struct error *err) MUST_CHECK;
/* The same step by step: call export_step() until it returns false. The finding
 * outlives the export. NULL: see err. */
struct export *export_create(struct engine *e, const struct finding *f,
	const char *folder, struct error *err);
bool export_step(void *x);
/* The folder that was made, and the first error; borrowed. */
const char *export_path(const struct export *x);
const struct error *export_error(const struct export *x);
void export_destroy(struct export *x); /* NULL is fine */

#endif
