/*
 * report_sarif: see report.h. Static Analysis Results Interchange Format
 * Version 2.1.0, OASIS standard of 27 March 2020.
 */
#include <ctype.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cli/report/report.h"
#include "cli/tool.h"

#define SARIF_SCHEMA \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
	"sarif-schema-2.1.0.json"

/* A path as a URI reference (RFC 3986): what it may not have is encoded. */
static json_t *
sarif_uri(const char *path)
{
	char *uri = xmalloc(3 * strlen(path) + sizeof("file://")), *to = uri;
	json_t *json;

	if (path[0] == '/')
		to += sprintf(to, "file://");
	for (; *path != '\0'; path++)
		if (isalnum((unsigned char)*path) ||
			strchr("-._~/+,=@", *path) != NULL)
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*path);
	*to = '\0';
	json = json_string(uri);
	free(uri);
	return json;
}

/* The target as a path of the repository. Elsewhere it has only a name. */
static void
sarif_put_target(const json_t *report, char path[PATH_MAX])
{
	const json_t *campaign = json_object_get(report, "campaign");
	const char *name;

	(void)report_path(json_text_of(campaign, "target"), path);
	name = path[0] == '/' ? strrchr(path, '/') + 1 : path;
	memmove(path, name, strlen(name) + 1);
	if (path[0] == '\0')
		snprintf(path, PATH_MAX, "target");
}

/* GitHub rejects the whole file if a result has no line in a file: without
 * debug information that is the first of the target. */
static void
sarif_find_place(const json_t *report, const json_t *finding,
	struct report_place *place)
{
	if (report_place(finding, place))
		return;
	*place = (struct report_place){ .function = "" };
	for (size_t i = 0;
		place->function[0] == '\0' && report_frame(finding, i, place);
		i++)
		;
	sarif_put_target(report, place->path);
	place->line = 1;
}

/* The place has a line. */
static json_t *
sarif_location(const struct report_place *place)
{
	json_t *location = json_pack("{s:{s:{s:o}, s:{s:I}}}",
		"physicalLocation", "artifactLocation", "uri",
		sarif_uri(place->path), "region", "startLine", place->line);

	if (place->function[0] != '\0')
		json_object_set_new(location, "logicalLocations",
			json_pack("[{s:s, s:s}]", "name", place->function,
				"kind", "function"));
	return location;
}

/* From the outermost call to the failure. */
static json_t *
sarif_flow(const json_t *finding)
{
	json_t *steps = json_array();
	struct report_place place;

	for (size_t i = 0; report_frame(finding, i, &place); i++)
		if (place.path[0] != '\0' && place.line > 0)
			json_array_insert_new(steps, 0,
				json_pack("{s:o}", "location",
					sarif_location(&place)));
	return steps;
}

/* The bucket stays the same when code moves, the id of a finding does not. */
static json_t *
sarif_fingerprint(const json_t *finding)
{
	const char *bucket = json_text_of(finding, "bucket");

	return bucket[0] != '\0' ? json_pack("{s:s}", "cfuzzBucket/v1", bucket)
				 : json_pack("{s:s}", "cfuzzFinding/v1",
					   json_text_of(finding, "id"));
}

/* A result that is no failure of this build has a kind, and then no level. */
static const char *
sarif_kind(const char *excuse)
{
	if (excuse != NULL && strcmp(excuse, "fixed") == 0)
		return "pass";
	if (excuse != NULL && strcmp(excuse, "not seen") == 0)
		return "open";
	return "fail";
}

static const char *
sarif_level(const json_t *finding, const char *kind)
{
	if (strcmp(kind, "fail") != 0)
		return "none";
	return strcmp(json_text_of(finding, "class"), "crash") == 0 ? "error"
								    : "warning";
}

/* The baseline is what earlier runs of `cfuzz ci` knew. */
static void
sarif_put_baseline(json_t *result, const char *excuse, const char *kind)
{
	const char *state = "unchanged";

	if (excuse == NULL)
		state = "new";
	else if (strcmp(kind, "pass") == 0)
		state = "absent";
	json_object_set_new(result, "baselineState", json_string(state));
}

static json_t *
sarif_result(const json_t *report, const json_t *finding)
{
	const char *excuse = report_excuse(finding);
	const char *kind = sarif_kind(excuse);
	struct report_place place;
	char title[512];
	json_t *result, *flow = sarif_flow(finding);

	report_title(finding, title, sizeof(title));
	sarif_find_place(report, finding, &place);
	result = json_pack(
		"{s:s, s:s, s:s, s:{s:s}, s:[o], s:o, s:{s:s, s:I, s:s}}",
		"ruleId", json_text_of(finding, "what"), "kind", kind, "level",
		sarif_level(finding, kind), "message", "text", title,
		"locations", sarif_location(&place), "partialFingerprints",
		sarif_fingerprint(finding), "properties", "state",
		json_text_of(finding, "state"), "seen",
		(json_int_t)json_count_of(finding, "count"), "command",
		json_text_of(finding, "command"));
	if (json_array_size(flow) > 0)
		json_object_set_new(result, "codeFlows",
			json_pack("[{s:[{s:O}]}]", "threadFlows", "locations",
				flow));
	if (excuse != NULL && strcmp(excuse, "accepted") == 0)
		json_object_set_new(result, "suppressions",
			json_pack("[{s:s, s:s, s:s}]", "kind", "external",
				"status", "accepted", "justification", excuse));
	if (json_is_true(json_object_get(report, "ci")))
		sarif_put_baseline(result, excuse, kind);
	json_decref(flow);
	return result;
}

/* Each kind of failure once. */
static json_t *
sarif_rules(const json_t *findings)
{
	json_t *rules = json_array(), *known = json_object();
	const json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding) {
		const char *what = json_text_of(finding, "what");

		if (json_object_get(known, what) != NULL)
			continue;
		json_object_set_new(known, what, json_true());
		json_array_append_new(rules,
			json_pack("{s:s, s:{s:s}}", "id", what,
				"shortDescription", "text",
				json_text_of(finding, "text")[0] != '\0'
					? json_text_of(finding, "text")
					: what));
	}
	json_decref(known);
	return rules;
}

/* A report without results is no good news if the run failed. */
static json_t *
sarif_invocation(const json_t *report)
{
	const char *trouble = json_text_of(report, "trouble");
	json_t *invocation = json_pack("{s:b}", "executionSuccessful",
		(int)(trouble[0] == '\0'));

	if (trouble[0] != '\0')
		json_object_set_new(invocation, "toolExecutionNotifications",
			json_pack("[{s:s, s:{s:s}}]", "level", "error",
				"message", "text", trouble));
	return invocation;
}

void
report_sarif(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	json_t *results = json_array(), *sarif;
	size_t i;

	json_array_foreach(findings, i, finding)
		json_array_append_new(results, sarif_result(report, finding));
	sarif = json_pack(
		"{s:s, s:s, s:[{s:{s:{s:s, s:s, s:s, s:o}}, s:[o], s:s, s:o}]}",
		"$schema", SARIF_SCHEMA, "version", "2.1.0", "runs", "tool",
		"driver", "name", "cfuzz", "version", CFUZZ_VERSION,
		"semanticVersion", CFUZZ_VERSION, "rules",
		sarif_rules(findings), "invocations", sarif_invocation(report),
		"columnKind", "unicodeCodePoints", "results", results);
	json_dumpf(sarif, to, JSON_INDENT(1));
	fputc('\n', to);
	json_decref(sarif);
}
