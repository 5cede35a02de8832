/* engine_coverage: see engine_coverage.h. */
#include "engine/engine_coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/corpus/load.h"
#include "engine/coverage_file.h"
#include "engine/engine_coverage_private.h"
#include "engine/engine_end.h"
#include "engine/engine_over_state.h"
#include "engine/front/answers.h"
#include "engine/functions/new_functions.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/statistics/earlier_runs.h"
#include "store/store.h"
#include "worker/memory/campaign_memory.h"
#include "worker/pc_table.h"
#include "worker/target/elf.h"

#define COVERAGE_PAUSE_NS (5 * CLOCK_NS_PER_S) /* between two files */
#define COVERAGE_COST 200 /* at most this part of the time makes the text */
#define COVERAGE_KEY_SIZE 17

/* ---- the text ---- */

/* Reports failure of jansson by leaving the line out: the file is damaged. */
static void
coverage_add_line(FILE *text, json_t *take_line)
{
	if (json_dumpf(take_line, text, JSON_COMPACT) == 0)
		fputc('\n', text);
	json_decref(take_line);
}

/* A module without room for its counters has no coverage. */
static json_t *
coverage_head(const struct engine *e)
{
	const struct campaign_head *head = engine_memory(e)->head;
	json_t *modules = json_array();
	char key[COVERAGE_KEY_SIZE];
	uint32_t i;

	for (i = 0; i < head->modules_n; i++) {
		if (head->modules[i].base == UINT32_MAX ||
			head->modules[i].n == 0)
			continue;
		snprintf(key, sizeof(key), "%016" PRIx64, head->modules[i].key);
		json_array_append_new(modules,
			json_pack("[s, I]", key,
				(json_int_t)head->modules[i].n));
	}
	return json_pack("{s:i, s:s, s:o}", "version", COVERAGE_FILE_VERSION,
		"build", program_info(e)->build, "modules", modules);
}

static void
coverage_add_pcs(const struct engine *e, FILE *text)
{
	const struct pc_table *table = pc_table_calls_table(e);
	struct query query = { .kind = QUERY_PCS, .count = QUERY_COUNTERS_MAX };

	for (; query.module < table->n; query.module++) {
		const struct pc_table_module *m = &table->modules[query.module];

		for (query.first = 0; query.first < m->known;
			query.first += QUERY_COUNTERS_MAX) {
			struct reply reply = { .kind = QUERY_PCS };

			answer_put_pcs(m, &query, &reply.pcs);
			coverage_add_line(text, reply_encode(&reply, 0));
			reply_clear(&reply);
		}
	}
}

static void
coverage_add_edges(struct engine *e, FILE *text)
{
	struct query query = { .kind = QUERY_COVERAGE,
		.count = QUERY_COUNTERS_MAX };
	uint64_t counters;

	do {
		struct reply reply = { .kind = QUERY_COVERAGE };

		if (answer_coverage(e, 0, &query, &reply, NULL) == OK)
			coverage_add_line(text, reply_encode(&reply, 0));
		counters = reply.coverage.counters;
		reply_clear(&reply);
		query.first += QUERY_COUNTERS_MAX;
	} while (query.first < counters);
}

static void
coverage_make_text(struct engine *e, FILE *text)
{
	struct reply reply = { .kind = QUERY_MODULES };

	coverage_add_line(text, coverage_head(e));
	answer_put_modules(e, &reply.modules);
	coverage_add_line(text, reply_encode(&reply, 0));
	reply_clear(&reply);
	coverage_add_pcs(e, text);
	coverage_add_edges(e, text);
}

/* ---- writing ---- */

/* Says a trouble of the disk once: at the end, if it refuses other files, these
 * have been told. */
static void
coverage_on_written(void *arg, const struct error *err)
{
	struct engine *e = arg;
	struct engine_coverage *c;

	if (err->code == E_STATE)
		return;
	c = engine_coverage_part(e);
	c->writing = false;
	if (err->code != OK && c->ended && !engine_unsaved(e))
		message_print(e, "warning: %s", err->text);
	else if (err->code != OK && !c->ended && !c->refused)
		message_event(e, "coverage", NULL, "%s", err->text);
	c->refused = err->code != OK;
}

static uint32_t
coverage_addresses(const struct engine *e)
{
	const struct pc_table *table = pc_table_calls_table(e);
	uint32_t n = 0, i;

	for (i = 0; i < table->n; i++)
		n += table->modules[i].known;
	return n;
}

static struct coverage_state
coverage_state(const struct engine *e)
{
	return (struct coverage_state){
		.revision = coverage_log_revision(&engine_memory(e)->log),
		.functions = new_functions_count(e),
		.addresses = coverage_addresses(e),
	};
}

static void
coverage_write(struct engine *e)
{
	struct engine_coverage *c = engine_coverage_part(e);
	uint64_t begin_ns = clock_now_ns(), now_ns, rest_ns;
	char *data = NULL;
	size_t len = 0;
	FILE *text = open_memstream(&data, &len);

	if (text == NULL)
		xmalloc_fail();
	coverage_make_text(e, text);
	if (ferror(text) || fclose(text) != 0)
		xmalloc_fail();
	now_ns = clock_now_ns();
	rest_ns = COVERAGE_COST * (now_ns - begin_ns);
	c->next_ns = now_ns +
		(rest_ns > COVERAGE_PAUSE_NS ? rest_ns : COVERAGE_PAUSE_NS);
	c->written = coverage_state(e);
	c->writing = true;
	store_write_coverage(engine_store(e), data, len, coverage_on_written,
		e);
}

/* The map of the last run is better than that of a warm-up. */
static bool
coverage_is_early(const struct engine *e)
{
	return load_is_warming(e) && earlier_runs_count(e) > 1;
}

void
engine_coverage_on_second(struct engine *e)
{
	const struct engine_coverage *c = engine_coverage_part(e);
	struct coverage_state now = coverage_state(e);

	if (c->writing || clock_now_ns() < c->next_ns ||
		(now.revision == c->written.revision &&
			now.functions == c->written.functions &&
			now.addresses == c->written.addresses) ||
		pc_table_outstanding(pc_table_calls_table(e)) ||
		coverage_is_early(e))
		return;
	coverage_write(e);
}

void
engine_coverage_on_end(struct engine *e)
{
	engine_coverage_part(e)->ended = true;
	if (pool_any_ready(e) && !coverage_is_early(e))
		coverage_write(e);
}

/* ---- reading ---- */

/* False: the file is no coverage file, or a damaged one, which is moved
 * aside. */
static bool
coverage_read(struct engine *e, struct coverage_file *file)
{
	struct error why = { 0 };
	uint8_t *data = NULL;
	size_t len = 0;
	enum status status = store_read(engine_store(e), "", STORE_COVERAGE,
		COVERAGE_FILE_MAX, &data, &len, &why);

	if (status == OK)
		status = coverage_file_parse(file, (const char *)data, len,
			&why);
	free(data);
	if (status == E_FORMAT || status == E_RANGE) {
		if (store_set_aside(engine_store(e), STORE_COVERAGE, &why) !=
			OK)
			message_keep_warning(e, "coverage", why.text);
	} else if (status != OK && over_stats(e) != NULL) {
		message_event(e, "coverage", NULL, "%s",
			status == E_NOT_FOUND
				? "the last run left no " STORE_COVERAGE
				  ": its coverage cannot be shown"
				: why.text);
	}
	return status == OK;
}

static void
coverage_use(struct engine *e, struct coverage_file *file)
{
	struct feature feature = { 0 };
	uint32_t i;

	for (i = 0; i < file->modules_n; i++)
		if (!campaign_memory_add_module(engine_memory(e),
			    file->modules[i].key, file->modules[i].n)) {
			message_no_module_room(e);
			return;
		}
	*pc_table_calls_table(e) = file->table;
	file->table = (struct pc_table){ 0 };
	for (; feature.counter < file->counters; feature.counter++) {
		feature.buckets = file->bits[feature.counter];
		if (feature.buckets != 0)
			(void)campaign_memory_merge(engine_memory(e), &feature,
				1);
	}
	over_set_new_functions(e, file->functions, file->functions_n);
}

void
engine_coverage_read(struct engine *e)
{
	struct coverage_file file = { 0 };

	if (!coverage_read(e, &file))
		return;
	if (strcmp(file.build, program_info(e)->build) == 0)
		coverage_use(e, &file);
	else
		message_event(e, "coverage", NULL,
			STORE_COVERAGE
			" is of another build: its coverage is not shown");
	coverage_file_clear(&file);
}

void
engine_coverage_check(struct engine *e)
{
	struct coverage_file file = { 0 };

	(void)coverage_read(e, &file);
	coverage_file_clear(&file);
}
