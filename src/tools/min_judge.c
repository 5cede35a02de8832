/*
 * min_judge: decides which failures count as the input's failure.
 *
 * A bucket is three functions and a line (findings/bucket.h), and a compiler
 * may place the same source at several addresses. So the names of a failure at
 * new addresses are looked up, once, as in a campaign.
 */
#include "base/text.h"
#include "control/json_text.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "tools/min_private.h"

/* ---- the finding --------------------------------------------------------- */

enum status
min_read_finding(struct min *m, const char *rule, struct error *err)
{
	json_t *info = m->files.in_finding
		? archive_read_json(m->files.info_path)
		: NULL;
	const char *text = json_text_get(info, "minimize_rule");
	enum minimize_rule own = minimize_rule_parse(text != NULL ? text : "");

	m->finding = finding_read(info);
	json_decref(info);
	if (m->finding != NULL && minimize_rule_parse(rule) > own)
		error_set(err, E_USAGE,
			"--minimize-rule %s may keep another failure than that "
			"of the finding, whose crash.json %s%s: name another "
			"file with -o FILE",
			rule,
			text != NULL ? "says "
				     : "names no rule, which stands for ",
			minimize_rule_name(own));
	return err->code;
}

/* Is it the failure of the finding, as for `cfuzz check`? */
static bool
min_is_finding(const struct min *m, const struct symbols_answer *names)
{
	struct failure clean = m->failure;

	if (m->finding == NULL)
		return true;
	text_clean_string(m->failure.what, clean.what, sizeof(clean.what));
	return names_same(&m->finding->failure, m->finding->names, &clean,
		names);
}

/* ---- the failure of the input -------------------------------------------- */

static void
min_bucket_is(struct min *m, const struct symbols_answer *answer)
{
	names_spot(&m->failure, answer, m->where, sizeof(m->where));
	m->bucket = bucket_identity(&m->failure, answer);
	if (m->step != MIN_BUCKET)
		return;
	if (min_is_finding(m, answer))
		min_on_bucket(m);
	else
		min_on_other(m);
}

static void
min_on_names(void *arg, struct symbols_answer *take_answer)
{
	min_bucket_is(arg, take_answer);
	symbols_answer_destroy(take_answer);
}

void
min_ask_bucket(struct min *m)
{
	text_clean_string(m->failure.what[0] != '\0'
			? m->failure.what
			: failure_kind_name(m->failure.kind),
		m->what, sizeof(m->what));
	if (!names_ask(m->runner.names, &m->failure,
		    worker_pid(m->runner.workers[0]), min_on_names, m))
		min_bucket_is(m, NULL);
}

/* ---- failures of smaller inputs ----------------------------------------- */

bool
min_may_ask(const struct min *m)
{
	return m->driver.rule == MINIMIZE_SAME_BUCKET && !m->stopped &&
		m->driver.known_n < MEMORY_KNOWN_MAX;
}

/* names: NULL: the failure has none. */
static void
min_know(struct min *m, const struct symbols_answer *names)
{
	minimization_driver_know(&m->driver, failure_stack_hash(&m->unknown),
		bucket_identity(&m->unknown, names) == m->bucket);
}

static void
min_on_unknown_names(void *arg, struct symbols_answer *take_answer)
{
	struct min *m = arg;

	min_know(m, take_answer);
	symbols_answer_destroy(take_answer);
	m->asking = false;
	min_settle(m, &m->unknown);
	runner_wake(&m->runner);
}

bool
min_must_ask(struct min *m, const struct failure *f)
{
	if (m->asking || !min_may_ask(m) || !minimization_is_failure(f) ||
		minimization_driver_knows(&m->driver, failure_stack_hash(f)))
		return false;
	m->unknown = *f;
	m->asking = names_ask(m->runner.names, f,
		worker_pid(m->runner.workers[0]), min_on_unknown_names, m);
	if (!m->asking)
		min_know(m, NULL);
	return m->asking;
}
