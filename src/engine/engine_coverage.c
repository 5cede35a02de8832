/* engine_coverage: see engine_coverage.h. */
#include "engine/engine_coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/engine_over_state.h"
#include "engine/front/answers.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "store/store.h"
#include "worker/campaign_memory.h"
#include "worker/elf.h"
#include "worker/pc_table.h"

#define COVERAGE_VERSION 1
#define COVERAGE_FILE_MAX (512u << 20)
#define COVERAGE_KEY_SIZE 17

/* ---- writing ---- */

struct coverage_text {
	char *data;
	size_t len;
};

static void
coverage_add_line(struct coverage_text *text, json_t *take_line)
{
	char *line =
		take_line != NULL ? json_dumps(take_line, JSON_COMPACT) : NULL;
	size_t len = line != NULL ? strlen(line) : 0;

	json_decref(take_line);
	if (line == NULL)
		return;
	text->data = xreallocarray(text->data, text->len + len + 2, 1);
	memcpy(text->data + text->len, line, len);
	text->len += len;
	text->data[text->len++] = '\n';
	text->data[text->len] = '\0';
	free(line);
}

static void
coverage_add_reply(struct engine *e, struct coverage_text *text,
	answer_fn *answer, const struct query *query)
{
	struct reply reply = { .kind = query->kind };
	struct error err = { 0 };

	if (answer(e, 0, query, &reply, &err) == OK)
		coverage_add_line(text, reply_encode(&reply, 0));
	reply_clear(&reply);
}

static json_t *
coverage_head(const struct engine *e)
{
	const struct campaign_head *head = engine_memory(e)->head;
	json_t *modules = json_array();
	char key[COVERAGE_KEY_SIZE];
	uint32_t i;

	for (i = 0; i < head->modules_n; i++) {
		snprintf(key, sizeof(key), "%016" PRIx64, head->modules[i].key);
		json_array_append_new(modules,
			json_pack("[s, I]", key,
				(json_int_t)head->modules[i].n));
	}
	return json_pack("{s:i, s:s, s:o}", "version", COVERAGE_VERSION,
		"build", program_info(e)->id, "modules", modules);
}

void
engine_coverage_write(struct engine *e)
{
	const struct pc_table *table = pc_table_calls_table(e);
	struct coverage_text text = { 0 };
	struct query query = { .count = QUERY_COUNTERS_MAX };
	struct error err = { 0 };
	uint32_t i;

	coverage_add_line(&text, coverage_head(e));
	query.kind = QUERY_MODULES;
	coverage_add_reply(e, &text, answer_modules, &query);
	query.kind = QUERY_PCS;
	for (i = 0; i < table->n; i++) {
		query.module = i;
		for (query.first = 0; query.first < table->modules[i].known;
			query.first += QUERY_COUNTERS_MAX)
			coverage_add_reply(e, &text, answer_pcs, &query);
	}
	query.kind = QUERY_COVERAGE;
	for (query.first = 0; query.first < engine_memory(e)->head->counters;
		query.first += QUERY_COUNTERS_MAX)
		coverage_add_reply(e, &text, answer_coverage, &query);
	if (text.data != NULL &&
		store_write_coverage(engine_store(e), text.data, text.len,
			&err) != OK)
		message_event(e, "coverage", NULL, "%s", err.text);
	free(text.data);
}

/* ---- reading ---- */

static bool
coverage_take_head(struct engine *e, const json_t *head)
{
	const char *build = json_string_value(json_object_get(head, "build"));
	const json_t *module;
	size_t i;

	if (json_integer_value(json_object_get(head, "version")) !=
			COVERAGE_VERSION ||
		build == NULL || strcmp(build, program_info(e)->id) != 0)
		return false;
	json_array_foreach(json_object_get(head, "modules"), i, module) {
		const char *key = json_string_value(json_array_get(module, 0));
		json_int_t n = json_integer_value(json_array_get(module, 1));
		struct counter_module own = { 0 };

		if (key == NULL || n < 0 || n > UINT32_MAX)
			return false;
		own.key = strtoull(key, NULL, 16);
		own.n = (uint32_t)n;
		if (!campaign_memory_add_module(engine_memory(e), own.key,
			    own.n))
			return false;
		pc_table_calls_add_modules(e, &own, 1);
	}
	return true;
}

static bool
coverage_take_modules(struct engine *e, const struct reply_modules *r)
{
	struct pc_table *table = pc_table_calls_table(e);
	size_t i;

	for (i = 0; i < r->modules_n; i++) {
		struct pc_table_module *m = &table->modules[i];

		if (i >= table->n || m->base != r->modules[i].base ||
			m->n != r->modules[i].n || m->path != NULL)
			return false;
		if (r->modules[i].path[0] != '\0')
			m->path = xstrdup(r->modules[i].path);
		snprintf(m->id, sizeof(m->id), "%.*s", (int)sizeof(m->id) - 1,
			r->modules[i].id);
	}
	return true;
}

static bool
coverage_take_pcs(struct engine *e, const struct reply_pcs *r)
{
	struct pc_table *table = pc_table_calls_table(e);
	size_t n = r->pcs.len / sizeof(uint64_t), i, k;
	struct pc_table_module *m;

	if (r->module >= table->n)
		return false;
	m = &table->modules[r->module];
	if (r->first != m->known || n > m->n - m->known)
		return false;
	m->numbers = xreallocarray(m->numbers, m->known + n + 1,
		sizeof(*m->numbers));
	for (i = 0; i < n; i++) {
		uint64_t number = 0;

		for (k = 0; k < sizeof(number); k++)
			number |= (uint64_t)r->pcs.data[i * sizeof(number) + k]
				<< 8 * k;
		m->functions += (number & TABLE_ENTRY) != 0;
		m->numbers[m->known++] = number;
	}
	if (m->known == m->n)
		m->state = PC_TABLE_KNOWN;
	return true;
}

static bool
coverage_take_edges(struct engine *e, const struct reply_coverage *r)
{
	struct feature feature;
	size_t i;

	for (i = 0; i < r->mask.len; i++) {
		feature = (struct feature){
			.counter = (uint32_t)(r->first + i),
			.buckets = r->mask.data[i],
		};
		if (r->first + i < engine_memory(e)->head->counters)
			(void)campaign_memory_merge(engine_memory(e), &feature,
				1);
	}
	over_set_reached(e, r->reached, r->reached_n);
	return true;
}

static bool
coverage_take_line(struct engine *e, const json_t *line)
{
	struct reply reply = { .kind = QUERY_COVERAGE };
	struct error err = { 0 };
	uint64_t id;
	bool taken = false;

	if (json_object_get(line, "version") != NULL)
		return coverage_take_head(e, line);
	if (reply_decode(&reply, &id, line, &err) == OK &&
		reply.error[0] == '\0') {
		if (reply.kind == QUERY_MODULES)
			taken = coverage_take_modules(e, &reply.modules);
		else if (reply.kind == QUERY_PCS)
			taken = coverage_take_pcs(e, &reply.pcs);
		else if (reply.kind == QUERY_COVERAGE)
			taken = coverage_take_edges(e, &reply.coverage);
	}
	reply_clear(&reply);
	return taken;
}

static bool
coverage_take_lines(struct engine *e, const char *text, size_t len)
{
	const char *end;
	json_t *line;
	bool taken = len > 0;

	for (; len > 0 && taken;
		len -= (size_t)(end + 1 - text), text = end + 1) {
		end = memchr(text, '\n', len);
		if (end == NULL)
			return false;
		line = json_loadb(text, (size_t)(end - text), 0, NULL);
		taken = line != NULL && coverage_take_line(e, line);
		json_decref(line);
	}
	return taken;
}

void
engine_coverage_read(struct engine *e)
{
	uint8_t *data;
	size_t len;

	if (store_read(engine_store(e), "", STORE_COVERAGE, COVERAGE_FILE_MAX,
		    &data, &len, NULL) != OK) {
		message_event(e, "coverage", NULL,
			"the last run left no " STORE_COVERAGE
			": its coverage cannot be shown");
		return;
	}
	if (!coverage_take_lines(e, (const char *)data, len))
		message_event(e, "coverage", NULL,
			STORE_COVERAGE
			" is damaged or of another build: a part of the "
			"coverage is not shown");
	free(data);
}
