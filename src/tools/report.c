/*
 * report: gathers what a report shows, see engine/engine.h.
 */
#include <string.h>

#include "base/text.h"
#include "control/json_text.h"
#include "engine/engine.h"
#include "shared/campaign_folder.h"
#include "tools/archive_config.h"
#include "tools/show_finding.h"

/* ---- coverage over time ---- */

struct curve {
	json_t *points;
	double at_s; /* of the last birth, never falling */
	uint64_t bits;
	size_t births, every; /* one point for so many */
};

static void
curve_add(struct curve *c)
{
	json_array_append_new(c->points,
		json_pack("[f, o]", c->at_s, json_count_new(c->bits)));
}

/* Drops every other point when there are too many. */
static void
curve_thin_out(struct curve *c)
{
	size_t i;

	if (json_array_size(c->points) < ENGINE_REPORT_POINTS)
		return;
	for (i = json_array_size(c->points) - 1; i > 0; i--)
		if (i % 2 == 1)
			json_array_remove(c->points, i);
	c->every *= 2;
}

static void
curve_on_birth(void *arg, const struct archive_ancestor *input)
{
	struct curve *c = arg;

	if (input->minimized || input->bits == 0)
		return;
	c->bits += input->bits;
	if (input->at_s > c->at_s)
		c->at_s = input->at_s;
	if (c->births++ % c->every != 0)
		return;
	curve_thin_out(c);
	curve_add(c);
}

static json_t *
report_curve(const char *output)
{
	struct curve curve = { .points = json_array(), .every = 1 };

	archive_each_birth(output, curve_on_birth, &curve);
	if (curve.births > 0 && (curve.births - 1) % curve.every != 0)
		curve_add(&curve);
	return curve.points;
}

/* ---- the rest ---- */

/* Numbers and cleaned texts of stats.json; no lists, which are long. */
static json_t *
report_stats(json_t *stats)
{
	json_t *kept = json_object();
	const char *name;
	json_t *value;

	json_object_foreach(stats, name, value) {
		if (json_is_number(value))
			json_object_set(kept, name, value);
		else if (json_is_string(value))
			json_object_set_new(kept, name,
				json_text_new(json_string_value(value)));
	}
	return kept;
}

/* Has the latest run ended, and is this its end? The disk may have refused it,
 * and the run may have been killed: then this is a second old, or of the run
 * before. */
static bool
report_has_end(const json_t *stats, const struct archive_start *start)
{
	return strcmp(json_text_of(stats, "state"), "ended") == 0 &&
		json_count_of(stats, "runs") == start->runs;
}

static bool
report_lists(const json_t *folders, const char *folder)
{
	const char *other;
	const json_t *item;
	size_t i;

	json_array_foreach(folders, i, item) {
		other = json_string_value(item);
		if (other != NULL && folder != NULL &&
			strcmp(other, folder) == 0)
			return true;
	}
	return false;
}

/* Marks the findings that the latest run passed over; none if its end is not
 * known. False: it was no run of `cfuzz ci`. */
static bool
report_pass_over(const json_t *stats, bool has_end, json_t *findings)
{
	const json_t *new = json_object_get(stats, "ci_new");
	bool ci = json_is_array(new), known;
	const char *folder;
	json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding) {
		folder = json_text_get(finding, "folder");
		known = ci && has_end && !report_lists(new, folder);
		json_object_set_new(finding, "passed_over",
			json_boolean(known));
	}
	return ci;
}

static json_t *
report_findings(const char *output, const struct archive_start *start,
	const struct archive_findings *findings)
{
	json_t *mutations = archive_read_mutations(output), *list;

	list = json_array();
	for (size_t i = 0; i < findings->n && i < ENGINE_REPORT_FINDINGS; i++)
		json_array_append_new(list,
			show_finding(output, start, &findings->items[i],
				mutations));
	json_decref(mutations);
	return list;
}

/* Why the report may be wrong or incomplete; NULL: nothing tells so. */
static json_t *
report_trouble(const char *output, const json_t *stats, bool has_end)
{
	uint64_t status = json_count_of(stats, "exit_status");
	const char *why = json_text_of(stats, "ended_why");
	char clean[ERROR_TEXT_MAX];

	/* A campaign that is under way has no end yet. */
	if (!has_end)
		return archive_is_locked(output)
			? NULL
			: json_string(
				  "the end of the latest run is not on the "
				  "disk: numbers may be old, findings may "
				  "be missing, and none is taken for known");
	if (status < EXIT_SETUP)
		return NULL;
	if (why[0] == '\0')
		why = "something could not be saved or done";
	text_clean_string(why, clean, sizeof(clean));
	return json_sprintf("the latest run ended with exit status %d: %s",
		(int)status, clean);
}

/* The rest of the report; takes the campaign. */
static json_t *
report_make(const char *output, json_t *campaign,
	const struct archive_findings *findings)
{
	json_t *stats = archive_read_stats(output), *list, *report, *trouble;
	struct archive_start start;
	bool has_end;

	archive_read_start(output, &start);
	has_end = report_has_end(stats, &start);
	list = report_findings(output, &start, findings);
	report = json_pack("{s:o, s:o, s:o, s:b, s:o}", "campaign", campaign,
		"stats", report_stats(stats), "curve", report_curve(output),
		"ci", (int)report_pass_over(stats, has_end, list), "findings",
		list);
	trouble = report_trouble(output, stats, has_end);
	if (trouble != NULL)
		json_object_set_new(report, "trouble", trouble);
	archive_start_clear(&start);
	json_decref(stats);
	return report;
}

json_t *
engine_report(const char *output, struct error *err)
{
	json_t *campaign = engine_show(output, NULL, err), *report;
	struct archive_findings findings;

	if (campaign == NULL)
		return NULL;
	if (!campaign_folder_is(output) ||
		archive_read_findings(output, &findings, err) != OK) {
		json_decref(campaign);
		error_set(err, E_USAGE, "%s is not an output directory",
			output);
		return NULL;
	}
	report = report_make(output, campaign, &findings);
	archive_findings_clear(&findings);
	return report;
}
