/*
 * min_record: describes the minimized input of a finding in its crash.json.
 *
 * A run looks there for what has been minimized, by which rule and with which
 * build. Without it a run would minimize the finding anew.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "control/json_text.h"
#include "findings/finding.h"
#include "store/store_files.h"
#include "tools/min_private.h"
#include "worker/inputs/input_text.h"

/* That of a sequence is its last one, which is not minimized. */
static void
min_record_call(const struct min *m, json_t *info)
{
	const struct tuple_types *types = &m->files.types;
	size_t len;
	const uint8_t *best = min_best(m, &len);
	char *call;

	if (types->n == 0 || m->finding->sequence_n > 1)
		return;
	call = input_call(types, m->runner.function, best, len);
	if (call[0] != '\0')
		json_object_set_new(info, "call", json_string(call));
	free(call);
}

static void
min_record_result(const struct min *m, json_t *info)
{
	const char *left = json_text_get(info, "left");

	json_object_set_new(info, "minimized_len",
		json_integer((json_int_t)min_len(m)));
	json_object_set_new(info, "minimized_build",
		json_string(m->runner.target.build));
	json_object_set_new(info, "minimize_rule",
		json_string(minimize_rule_name(m->driver.rule)));
	if (!m->stopped && left != NULL && strcmp(left, "minimize") == 0)
		json_object_del(info, "left");
	min_record_call(m, info);
}

enum status
min_record(const struct min *m, struct error *err)
{
	json_t *info = m->finding != NULL
		? archive_read_json(m->files.info_path)
		: NULL;
	enum status status;
	char *line;

	if (!json_is_object(info)) {
		json_decref(info);
		return OK;
	}
	min_record_result(m, info);
	line = store_dump(info);
	json_decref(info);
	if (line == NULL)
		return error_set(err, E_IO, "%s cannot be written",
			m->files.info_path);
	status = file_write_atomic_at(AT_FDCWD, m->files.info_path, line,
		strlen(line), FILE_FSYNC | FILE_FSYNC_DIR, err);
	free(line);
	return status;
}
