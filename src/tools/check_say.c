/* check_say: prints the results of findings that ran again. */
#include <inttypes.h>

#include "control/json_text.h"
#include "tools/check_private.h"

static const char *
check_say_verdict_name(enum check_verdict verdict)
{
	static const char *const names[CHECK_VERDICTS] = {
		[CHECK_UNKNOWN] = "not-run",
		[CHECK_STILL_FAILS] = "still-fails",
		[CHECK_FAILS_DIFFERENTLY] = "fails-differently",
		[CHECK_FIXED] = "fixed",
		[CHECK_NOT_RUN] = "not-run",
	};

	return names[verdict];
}

static void
check_say_item(const struct check *check, const struct check_item *item)
{
	const struct snapshot_finding *v = &item->finding->view;
	const char *in = item->where[0] != '\0' ? " in " : "";
	const char *was_in = v->where[0] != '\0' ? " in " : "";

	switch (item->verdict) {
	case CHECK_STILL_FAILS:
		runner_say(&check->runner, "%s: still fails: %s%s%s", v->folder,
			item->what, in, item->where);
		break;
	case CHECK_FAILS_DIFFERENTLY:
		runner_say(&check->runner,
			"%s: fails differently: %s%s%s (it was %s%s%s)",
			v->folder, item->what, in, item->where, v->what, was_in,
			v->where);
		break;
	case CHECK_FIXED:
		runner_say(&check->runner, "%s: fixed (it was %s%s%s)",
			v->folder, v->what, was_in, v->where);
		break;
	default:
		runner_say(&check->runner, "%s: not run: %s", v->folder,
			item->why);
		break;
	}
}

void
check_say_done(struct check *check)
{
	struct check_item *item;

	for (; check->told < check->items_n; check->told++) {
		item = &check->items[check->told];
		if (!item->done)
			return;
		check->counts[item->verdict]++;
		check_say_item(check, item);
	}
}

static json_t *
check_item_json(const struct check_item *item)
{
	const struct snapshot_finding *v = &item->finding->view;

	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "id",
		v->id, "folder", v->folder, "verdict",
		check_say_verdict_name(item->verdict), "was_what", v->what,
		"was_where", v->where, "what", item->what, "where", item->where,
		"why", item->why, "runs", (int)item->runs_all);
}

static void
check_say_object(const struct check *check)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < check->items_n; i++)
		json_array_append_new(list, check_item_json(&check->items[i]));
	runner_say_event(&check->runner,
		json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I}", "event",
			"checked", "output", json_text_new(check->output),
			"target", json_text_new(check->archive.config.target),
			"findings", list, "still_fails",
			(json_int_t)check->counts[CHECK_STILL_FAILS],
			"fails_differently",
			(json_int_t)check->counts[CHECK_FAILS_DIFFERENTLY],
			"fixed", (json_int_t)check->counts[CHECK_FIXED],
			"not_run", (json_int_t)check->counts[CHECK_NOT_RUN]));
}

void
check_say_end(struct check *check)
{
	const uint64_t *n = check->counts;

	if (check->items_n == 0)
		runner_say(&check->runner,
			"nothing was found: nothing to check");
	else
		runner_say(&check->runner,
			"%zu finding%s: %" PRIu64 " still fail%s, %" PRIu64
			" differently, %" PRIu64 " fixed, %" PRIu64 " not run",
			check->items_n, check->items_n == 1 ? "" : "s",
			n[CHECK_STILL_FAILS],
			n[CHECK_STILL_FAILS] == 1 ? "s" : "",
			n[CHECK_FAILS_DIFFERENTLY], n[CHECK_FIXED],
			n[CHECK_NOT_RUN]);
	check_say_object(check);
}
