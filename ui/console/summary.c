/*
 * summary: prints a campaign in a few lines, for the scrollback.
 */
#include "ui/console/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/widgets/labels.h"

#define SUMMARY_FILE_MAX (4u << 20)
#define SUMMARY_FINDINGS 12 /* lines; the rest is only counted */

const char *
summary_status_words(int exit_status)
{
	switch (exit_status) {
	case 0:
		return "0: nothing was found";
	case 1:
		return "1: something was found";
	case 2:
		return "2: nothing ran";
	default:
		return "3: something could not be saved or done";
	}
}

void
summary_complain(FILE *out, const char *text)
{
	const char *who = "cfuzz-tui: ";

	while (*text != '\0') {
		size_t len = strcspn(text, "\n"), room = 8 * len + 1;
		char *clean = xcalloc(room, 1);

		text_clean(text, len, clean, room);
		if (len > 0)
			fprintf(out, "%s%s\n", who, clean);
		free(clean);
		who = "  ";
		text += len + (text[len] == '\n');
	}
}

static void
summary_numbers(FILE *out, const struct snapshot *s)
{
	char execs[TEXT_NUMBER_SIZE], bits[TEXT_NUMBER_SIZE];
	char corpus[TEXT_NUMBER_SIZE], rate[TEXT_NUMBER_SIZE];

	fprintf(out, "  %s %s (%s), %s coverage %s, %s %s in the corpus\n",
		text_count(s->execs, execs),
		label_plural(s->execs, "execution", "executions"),
		text_rate(s->execs_per_sec_avg, rate),
		text_count(s->coverage_bits, bits),
		label_plural(s->coverage_bits, "bit", "bits"),
		text_count(snapshot_corpus_kept(s), corpus),
		label_plural(snapshot_corpus_kept(s), "input", "inputs"));
}

void
summary_finding(FILE *out, const struct snapshot_finding *f, const char *output)
{
	char what[256], location[256], folder[640], raw[640];

	text_clean_string(f->what, what, sizeof(what));
	text_clean_string(f->where, location, sizeof(location));
	snprintf(raw, sizeof(raw), "%s/%s", output, f->folder);
	text_clean_string(raw, folder, sizeof(folder));
	fprintf(out, "  %s%s%s, %s", what[0] != '\0' ? what : f->kind,
		location[0] != '\0' ? " in " : "", location,
		f->count == 1 ? "once" : "");
	if (f->count != 1)
		fprintf(out, "%" PRIu64 " times", f->count);
	if (f->standing[0] != '\0' && strcmp(f->standing, "open") != 0)
		fprintf(out, ", %s with this build", f->standing);
	if (strcmp(f->state, "accepted") == 0)
		fputs(", accepted", out);
	if (f->sequence > 1)
		fprintf(out, ", needs %" PRIu32 " inputs in a row",
			f->sequence);
	fprintf(out, "\n    %s\n", folder);
}

static void
summary_findings(FILE *out, const struct snapshot *s, const char *output)
{
	/* More than the snapshot lists. */
	uint64_t n = snapshot_findings(s);

	for (size_t i = 0; i < s->findings_n && i < SUMMARY_FINDINGS; i++)
		summary_finding(out, &s->findings[i], output);
	if (n > SUMMARY_FINDINGS)
		fprintf(out, "  and %" PRIu64 " more\n", n - SUMMARY_FINDINGS);
}

void
summary_write(FILE *out, const struct snapshot *s, const char *output,
	int exit_status)
{
	char target[512], why[256], clock[TEXT_NUMBER_SIZE], folder[512];
	char execs[TEXT_NUMBER_SIZE];

	text_clean_string(s->target, target, sizeof(target));
	text_clean_string(s->ended_why, why, sizeof(why));
	text_clean_string(output, folder, sizeof(folder));
	fprintf(out, "cfuzz %s: %s%s%s\n", target,
		text_clock(s->elapsed_s, clock), why[0] != '\0' ? ", " : "",
		why);
	if (s->past_execs > 0)
		fprintf(out,
			"  run %" PRIu64 " of a campaign of %s and %s "
			"executions\n",
			s->runs, text_clock(s->past_s + s->elapsed_s, clock),
			text_count(s->past_execs + s->execs, execs));
	summary_numbers(out, s);
	summary_findings(out, s, output);
	fprintf(out, "  everything is in %s\n", folder);
	fprintf(out, "exit status %s%s\n", summary_status_words(exit_status),
		exit_status == 0 && s->findings_n > 0 ? " in this run" : "");
}

static enum status
summary_read(const char *output, struct snapshot *snapshot)
{
	char path[4096];
	uint8_t *data;
	size_t len;
	json_t *json;
	enum status status;

	snprintf(path, sizeof(path), "%s/stats.json", output);
	status = file_read(path, SUMMARY_FILE_MAX, &data, &len, NULL);
	if (status != OK)
		return status;
	json = json_loadb((const char *)data, len, 0, NULL);
	free(data);
	if (json == NULL)
		return E_FORMAT;
	status = snapshot_decode(snapshot, json, NULL);
	json_decref(json);
	return status;
}

void
summary_print(FILE *out, const char *output, uint64_t runs, int exit_status)
{
	struct snapshot snapshot;
	bool read, other;

	snapshot_init(&snapshot);
	read = output != NULL && summary_read(output, &snapshot) == OK;
	other = read && runs > 0 && snapshot.runs != runs;
	if (read && !other)
		summary_write(out, &snapshot, output, exit_status);
	else
		fprintf(out, "exit status %s%s\n",
			summary_status_words(exit_status),
			other ? " in this run; another one has begun since"
			      : "");
	snapshot_clear(&snapshot);
}

bool
summary_print_ended(FILE *out, const char *output, uint64_t runs,
	int *exit_status)
{
	struct snapshot snapshot;
	bool ended;

	snapshot_init(&snapshot);
	ended = summary_read(output, &snapshot) == OK &&
		snapshot.state == RUN_ENDED && snapshot.runs == runs;
	if (ended) {
		*exit_status = snapshot.exit_status;
		summary_write(out, &snapshot, output, *exit_status);
	}
	snapshot_clear(&snapshot);
	return ended;
}
