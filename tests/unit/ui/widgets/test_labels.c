/*
 * test_labels: states, times and shares as words; samples of graphs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/model/keys_file.h"
#include "ui/views/glossary.h"
#include "ui/views/status_row.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/series.h"

#include "lib/dump.h"

/* ---- small words ---- */

static void
test_seconds(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 0, "0 s" }, { 0.4, "0 s" }, { 41, "41 s" },
		{ 59.9, "60 s" }, { 60, "1m0s" }, { 3725, "1h2m5s" },
		{ -1, "-" }, { NAN, "-" }, { 1e300, "ages" } };
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(label_seconds(cases[i].seconds, buf),
			cases[i].text);
}

static void
test_percent(void **state)
{
	char buf[TEXT_NUMBER_SIZE];

	assert_string_equal(label_percent(0, 0, buf), "-");
	assert_string_equal(label_percent(0, 10, buf), "0 %");
	assert_string_equal(label_percent(1, 1000, buf), "<1 %");
	assert_string_equal(label_percent(1290, 3826, buf), "34 %");
	assert_string_equal(label_percent(994, 1000, buf), "99 %");
	assert_string_equal(label_percent(995, 1000, buf), ">99 %");
	assert_string_equal(label_percent(UINT32_MAX - 1, UINT32_MAX, buf),
		">99 %");
	assert_string_equal(label_percent(5, 5, buf), "100 %");
	assert_string_equal(label_plural(1, "crash", "crashes"), "crash");
	assert_string_equal(label_plural(0, "crash", "crashes"), "crashes");
}

/* Open findings: those of the present target that are not accepted. */
static void
test_findings(void **state)
{
	struct snapshot s = { .crashes = 3, .hangs = 2, .ooms = 1, .leaks = 1 };

	assert_int_equal(snapshot_findings(&s), 7);
	assert_int_equal(snapshot_findings_open(&s), 7);
	s.findings_ignored = 2;
	assert_int_equal(snapshot_findings_open(&s), 5);
	s.findings_not_seen = 4;
	assert_int_equal(snapshot_findings_open(&s), 1);
	s.findings_not_seen = 9;
	assert_int_equal(snapshot_findings_open(&s), 0);
	assert_int_equal(snapshot_findings(&s), 7);
}

/* ---- the state ---- */

static struct model *
words_model(enum run_state run)
{
	struct model *model = xcalloc(1, sizeof(*model));
	struct snapshot *snapshot;

	model_init(model);
	snapshot = (struct snapshot *)model->snapshot;
	snapshot->seq = 1;
	snapshot->state = run;
	snapshot->next_step_s = -1;
	model->link = LINK_UP;
	return model;
}

static struct snapshot *
words_snapshot(struct model *model)
{
	return (struct snapshot *)model->snapshot;
}

static void
words_model_free(struct model *model)
{
	model_clear(model);
	free(model);
}

static void
test_state(void **state)
{
	struct model *model = words_model(RUN_WARMUP);
	struct snapshot *s = words_snapshot(model);
	char buf[LABEL_SIZE];

	s->warmup_done = 120;
	s->warmup_total = 530;
	assert_string_equal(label_state(model, buf), "warming up 120/530");
	assert_int_equal(label_state_style(model), STYLE_WARMUP);
	s->state = RUN_STOPPING;
	assert_string_equal(label_state(model, buf), "stopping");
	s->stop_step = STOP_CLOSED;
	s->next_step_s = 0.6;
	assert_string_equal(label_state(model, buf),
		"stopping: interrupt in 0.6 s");
	s->stop_step = STOP_INTERRUPT;
	assert_string_equal(label_state(model, buf), "stopping: kill in 0.6 s");
	s->stop_step = STOP_KILL;
	assert_string_equal(label_state(model, buf), "stopping");
	s->state = RUN_ENDED;
	strcpy(s->ended_why, "stopped by the user");
	assert_string_equal(label_state(model, buf),
		"ended: stopped by the user");
	s->state = (enum run_state)99;
	assert_string_equal(label_state(model, buf), "starting");
	model->link = LINK_STARTING;
	model->stale_s = MODEL_STALE_S / 2;
	assert_string_equal(label_state(model, buf), "starting");
	model->stale_s = MODEL_STALE_S;
	assert_string_equal(label_state(model, buf),
		"the engine does not answer yet");
	model->link = LINK_LOST;
	assert_string_equal(label_state(model, buf), "the engine is gone");
	assert_int_equal(label_state_style(model), STYLE_BAD);
	words_model_free(model);
}

static void
words_expect(int w, void (*put)(const struct model *, struct row_writer *),
	const struct model *model, const char *expected)
{
	struct grid *grid = grid_create(w, 1);
	struct row_writer out =
		row_put_at(grid, (struct rect){ 0, 0, w, 1 }, 0);
	char *text;

	put(model, &out);
	text = grid_dump(grid);
	assert_string_equal(text, expected);
	free(text);
	grid_destroy(grid);
}

static void
words_ladder(const struct model *model, struct row_writer *out)
{
	label_put_ladder(out, model->snapshot->stop_step,
		model->snapshot->next_step_s);
}

static void
test_ladder(void **state)
{
	struct model *model = words_model(RUN_STOPPING);
	struct snapshot *s = words_snapshot(model);

	s->stop_step = STOP_INTERRUPT;
	s->next_step_s = 0.4;
	words_expect(80, words_ladder, model,
		"✓ asked to stop  →  ✓ interrupt  →  ▸ kill in 0.4 s\n");
	words_expect(30, words_ladder, model, "▸ kill in 0.4 s\n");
	s->stop_step = STOP_KILL;
	s->next_step_s = -1;
	words_expect(80, words_ladder, model,
		"✓ asked to stop  →  ✓ interrupt  →  ✓ kill\n");
	words_expect(30, words_ladder, model, "✓ kill\n");
	words_model_free(model);
}

static void
words_countdown(const struct model *model, struct row_writer *out)
{
	label_put_countdown(out, model->snapshot->next_step_s,
		label_step_s(model->snapshot));
}

/* The bar shows the rest of the step's time. */
static void
test_countdown(void **state)
{
	struct model *model = words_model(RUN_STOPPING);
	struct snapshot *s = words_snapshot(model);
	char buf[TEXT_NUMBER_SIZE];

	assert_true(label_step_s(s) == 0);
	s->limits = xcalloc(1, sizeof(*s->limits));
	s->limits_n = 1;
	s->limits[0] =
		(struct snapshot_limit){ "stop-step", "2s", "default", true };
	assert_true(label_step_s(s) == 2);
	s->next_step_s = 1;
	words_expect(80, words_countdown, model, "  ▇▇▇▇▇·····\n");
	words_expect(8, words_countdown, model, "\n");
	s->next_step_s = -1;
	words_expect(80, words_countdown, model, "\n");
	snprintf(s->limits[0].value, sizeof(s->limits[0].value), "soon");
	assert_true(label_step_s(s) == 0);
	assert_string_equal(label_tenths(0.55, buf), "0.6 s");
	assert_string_equal(label_tenths(12, buf), "12 s");
	assert_string_equal(label_tenths(-1, buf), "-");
	assert_string_equal(keys_common("stop-worker"), "S");
	assert_string_equal(keys_common("fly"), "");
	words_model_free(model);
}

static void
test_status(void **state)
{
	struct model *model = words_model(RUN_FUZZING);
	struct snapshot *s = words_snapshot(model);

	s->limits = xcalloc(3, sizeof(*s->limits));
	s->limits_n = 3;
	s->limits[0] =
		(struct snapshot_limit){ "timeout", "1s", "default", true };
	s->limits[1] =
		(struct snapshot_limit){ "fuzztime", "none", "default", true };
	s->limits[2] = (struct snapshot_limit){ "max-len", "64K", "key", true };
	words_expect(80, status_row_put, model,
		"limits   max-len 64K   timeout 1s\n");
	words_expect(22, status_row_put, model, "limits   max-len 64K\n");
	words_expect(12, status_row_put_brief, model, "▲0 ● fuzzing\n");
	s->unsaved = 1;
	words_expect(80, status_row_put, model,
		"▲ 1 file is not on disk: is it full?   limits   max-len 64K"
		"   timeout 1s\n");
	s->unsaved = 0;
	s->state = RUN_PAUSED;
	s->paused_s = 31;
	words_expect(80, status_row_put, model,
		"▮▮ paused   in all for 31 s   p goes on   "
		"limits   max-len 64K   timeout 1s\n");
	s->state = RUN_ENDED;
	s->exit_status = 1;
	words_expect(80, status_row_put, model,
		"■ ended   exit status 1   q leaves\n");
	words_model_free(model);
}

/* The row names the keys of the user's file, as people read them. */
static void
test_status_keys(void **state)
{
	static const struct {
		const char *keys;
		enum run_state run;
		const char *row;
	} rows[] = {
		{ "\"q\": null, \"C-c\": null, \"F10\": \"quit\"", RUN_ENDED,
			"■ ended   exit status 0   F10 leaves\n" },
		{ "\"q\": null, \"C-c\": null, \"C-q\": \"quit\"", RUN_ENDED,
			"■ ended   exit status 0   Ctrl-Q leaves\n" },
		{ "\"p\": null, \"C-p\": \"toggle-pause\"", RUN_PAUSED,
			"▮▮ paused   in all for 0 s   Ctrl-P goes on   "
			"limits\n" },
		{ "\"p\": null", RUN_PAUSED,
			"▮▮ paused   in all for 0 s   :toggle-pause goes "
			"on\n" },
	};
	struct keymap *map;
	struct model *model;
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "{\"common\": {%s}}",
			rows[i].keys);
		map = keys_file_parse("f", text, strlen(text), NULL);
		assert_non_null(map);
		keymap_use(map);
		model = words_model(rows[i].run);
		words_expect(80, status_row_put, model, rows[i].row);
		keys_reset();
		keymap_destroy(map);
		words_model_free(model);
	}
}

/* ---- samples ---- */

static void
course_history(struct history *history, bool sliding, int seconds)
{
	struct snapshot s = { 0 };

	history_init(history, sliding, 1);
	for (int i = 0; i <= seconds; i++) {
		s.elapsed_s = i;
		s.execs_per_sec = 100 + i;
		s.coverage_bits = (uint64_t)i * 10;
		s.interesting = (uint64_t)i;
		history_add(history, &s);
	}
}

static void
test_course_speed(void **state)
{
	struct history *history = xcalloc(1, sizeof(*history));
	double samples[12], many[240];

	series_speed(history, samples, 12);
	assert_true(isnan(samples[0]) && isnan(samples[11]));
	course_history(history, true, 59);
	series_speed(history, samples, 12);
	/* The first minute is before the first snapshot. */
	assert_true(isnan(samples[4]));
	assert_true(samples[11] > samples[7]);
	assert_true(samples[11] > 150 && samples[11] < 160);
	/* With more samples than points there are no holes. */
	series_speed(history, many, 240);
	for (int i = 230; i < 239; i++)
		assert_false(isnan(many[i]));
	free(history);
}

static void
test_course_bits(void **state)
{
	struct history *history = xcalloc(1, sizeof(*history));
	double samples[10];

	series_bits(history, samples, 10);
	assert_true(isnan(samples[0]));
	course_history(history, false, 100);
	series_bits(history, samples, 10);
	assert_true(samples[0] == 100 && samples[9] == 1000);
	free(history);
}

/* Every new input is counted once. */
static void
test_course_new_inputs(void **state)
{
	struct history *history = xcalloc(1, sizeof(*history));
	double samples[7], sum = 0;

	series_new_inputs(history, samples, 7);
	assert_true(isnan(samples[0]));
	course_history(history, false, 100);
	series_new_inputs(history, samples, 7);
	for (int i = 0; i < 7; i++)
		sum += samples[i];
	assert_true(fabs(sum - 100) < 0.001);
	free(history);
}

static void
test_course_size(void **state)
{
	struct minimization_series *series = xcalloc(1, sizeof(*series));
	double samples[4];

	series_size(NULL, samples, 4);
	assert_true(isnan(samples[0]));
	series->points_n = 3;
	series->points[0].len = 100;
	series->points[1].tries = 50;
	series->points[1].len = 60;
	series->points[2].tries = 100;
	series->points[2].len = 40;
	series_size(series, samples, 4);
	assert_true(samples[0] == 100 && samples[1] == 60);
	assert_true(samples[2] == 60 && samples[3] == 40);
	free(series);
}

/* ---- the glossary ---- */

/* Whole sentences explain every number. */
static void
test_glossary(void **state)
{
	struct model *model = words_model(RUN_FUZZING);
	const struct glossary_entry *entry;
	char value[GLOSSARY_VALUE];
	size_t i;

	for (i = 0; (entry = glossary_entry(i)) != NULL; i++) {
		enum style style = STYLE_NORMAL;

		entry->value(model, value);
		assert_true(value[0] != '\0');
		assert_true(strlen(entry->name) <= 13);
		assert_int_equal(entry->text[strlen(entry->text) - 1], '.');
		if (entry->advice)
			assert_non_null(entry->advice(model, &style));
	}
	assert_true(i > 15);
	words_model_free(model);
}

static void
glossary_value(const struct model *model, const char *name,
	char value[GLOSSARY_VALUE])
{
	size_t i = 0;

	while (strcmp(glossary_entry(i)->name, name) != 0)
		i++;
	glossary_entry(i)->value(model, value);
}

/* As on the dashboard: all runs of the campaign. */
static void
test_glossary_executions(void **state)
{
	struct model *model = words_model(RUN_FUZZING);
	struct snapshot *s = words_snapshot(model);
	char value[GLOSSARY_VALUE];

	s->execs = 1200;
	s->past_execs = 34000;
	glossary_value(model, "executions", value);
	assert_string_equal(value, "35 200");
	s->execs = s->past_execs = 0;
	s->state = RUN_ENDED;
	glossary_value(model, "executions", value);
	assert_string_equal(value, "-");
	words_model_free(model);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_countdown),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_status_keys),
		cmocka_unit_test(test_course_speed),
		cmocka_unit_test(test_course_bits),
		cmocka_unit_test(test_course_new_inputs),
		cmocka_unit_test(test_course_size),
		cmocka_unit_test(test_glossary),
		cmocka_unit_test(test_glossary_executions),
	};

	return cmocka_run_group_tests_name("ui/words", tests, NULL, NULL);
}
