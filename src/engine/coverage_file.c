/* coverage_file: see coverage_file.h. */
#include "engine/coverage_file.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/xmalloc.h"
#include "control/json_text.h"

#define COVERAGE_FILE_LINE_MAX (4u << 20)

/* A file that is being read. */
struct coverage_reading {
	struct coverage_file *file;
	uint32_t edges; /* whose bits are known */
	bool has_modules, complete;
};

void
coverage_file_clear(struct coverage_file *file)
{
	pc_table_clear(&file->table);
	free(file->bits);
	free(file->functions);
	*file = (struct coverage_file){ 0 };
}

/* ---- the first line ---- */

static bool
coverage_file_has(const struct coverage_file *file, uint64_t key, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < file->modules_n; i++)
		if (file->modules[i].key == key && file->modules[i].n == n)
			return true;
	return false;
}

static bool
coverage_file_add_module(struct coverage_file *file, const json_t *module)
{
	const char *text = json_string_value(json_array_get(module, 0));
	json_int_t n = json_integer_value(json_array_get(module, 1));
	uint64_t key;
	char *end;

	if (text == NULL || file->modules_n == MEMORY_MODULES_MAX || n < 1 ||
		n > MEMORY_COUNTERS_MAX - (json_int_t)file->counters)
		return false;
	key = strtoull(text, &end, 16);
	if (*end != '\0' || coverage_file_has(file, key, (uint32_t)n))
		return false;
	file->modules[file->modules_n++] = (struct counter_module){
		.key = key,
		.n = (uint32_t)n,
		.base = file->counters,
	};
	pc_table_add(&file->table, key, (uint32_t)n, file->counters);
	file->counters += (uint32_t)n;
	return true;
}

static bool
coverage_file_take_head(struct coverage_file *file, const json_t *head)
{
	const char *build = json_text_get(head, "build");
	const json_t *modules = json_object_get(head, "modules");
	size_t i;

	if (json_integer_value(json_object_get(head, "version")) !=
			COVERAGE_FILE_VERSION ||
		build == NULL || strlen(build) >= sizeof(file->build) ||
		!json_is_array(modules))
		return false;
	memcpy(file->build, build, strlen(build));
	for (i = 0; i < json_array_size(modules); i++)
		if (!coverage_file_add_module(file, json_array_get(modules, i)))
			return false;
	file->bits = xcalloc(file->counters + 1, 1);
	return true;
}

/* ---- the other lines ---- */

static bool
coverage_file_take_modules(struct coverage_reading *in,
	const struct reply_modules *r)
{
	struct pc_table *table = &in->file->table;
	size_t i;

	if (in->has_modules || r->modules_n != table->n)
		return false;
	for (i = 0; i < r->modules_n; i++) {
		const struct reply_module *from = &r->modules[i];
		struct pc_table_module *m = &table->modules[i];

		if (m->base != from->base || m->n != from->n ||
			strlen(from->id) >= sizeof(m->id))
			return false;
		if (from->path[0] != '\0')
			m->path = xstrdup(from->path);
		memcpy(m->id, from->id, strlen(from->id));
	}
	in->has_modules = true;
	return true;
}

/* Pieces come in their order. */
static bool
coverage_file_take_pcs(struct coverage_reading *in, const struct reply_pcs *r)
{
	size_t n = r->pcs.len / sizeof(uint64_t), i;
	struct pc_table_module *m;
	uint64_t number;

	if (!in->has_modules || r->module >= in->file->table.n)
		return false;
	m = &in->file->table.modules[r->module];
	if (r->first != m->known || n > m->n - m->known)
		return false;
	m->numbers = xreallocarray(m->numbers, m->known + n + 1,
		sizeof(*m->numbers));
	for (i = 0; i < n; i++) {
		memcpy(&number, r->pcs.data + i * sizeof(number),
			sizeof(number));
		pc_table_put(m, le64toh(number));
	}
	if (m->known == m->n)
		m->state = PC_TABLE_KNOWN;
	return true;
}

static bool
coverage_file_take_edges(struct coverage_reading *in, struct reply_coverage *r)
{
	struct coverage_file *file = in->file;

	if (!in->has_modules || in->complete || !r->whole ||
		r->first != in->edges || r->counters > file->counters ||
		r->counters < in->edges ||
		r->mask.len > r->counters - in->edges)
		return false;
	if (r->mask.len > 0)
		memcpy(file->bits + in->edges, r->mask.data, r->mask.len);
	in->edges += (uint32_t)r->mask.len;
	in->complete = in->edges == r->counters;
	free(file->functions);
	file->functions = r->reached;
	file->functions_n = r->reached_n;
	r->reached = NULL;
	r->reached_n = 0;
	return true;
}

static bool
coverage_file_take_reply(struct coverage_reading *in, const json_t *line)
{
	struct reply reply = { .kind = QUERY_COVERAGE };
	bool taken = false;
	uint64_t id;

	if (reply_decode(&reply, &id, line, NULL) != OK ||
		reply.error[0] != '\0')
		;
	else if (reply.kind == QUERY_MODULES)
		taken = coverage_file_take_modules(in, &reply.modules);
	else if (reply.kind == QUERY_PCS)
		taken = coverage_file_take_pcs(in, &reply.pcs);
	else if (reply.kind == QUERY_COVERAGE)
		taken = coverage_file_take_edges(in, &reply.coverage);
	reply_clear(&reply);
	return taken;
}

/* Takes one line. False: the file is damaged. */
static bool
coverage_file_take(struct coverage_reading *in, const char *text, size_t len)
{
	json_t *line = len <= COVERAGE_FILE_LINE_MAX
		? json_loadb(text, len, 0, NULL)
		: NULL;
	bool taken = line != NULL &&
		(in->file->bits == NULL
				? coverage_file_take_head(in->file, line)
				: coverage_file_take_reply(in, line));

	json_decref(line);
	return taken;
}

enum status
coverage_file_parse(struct coverage_file *file, const char *text, size_t len,
	struct error *err)
{
	struct coverage_reading in = { .file = file };
	const char *end = text + len, *stop;
	bool taken = true;

	*file = (struct coverage_file){ 0 };
	for (; taken && text < end; text = stop + 1) {
		stop = memchr(text, '\n', (size_t)(end - text));
		if (stop == NULL)
			break;
		taken = coverage_file_take(&in, text, (size_t)(stop - text));
	}
	if (taken && text == end && in.complete)
		return OK;
	coverage_file_clear(file);
	return error_set(err, E_FORMAT, "it is cut or of another version");
}
