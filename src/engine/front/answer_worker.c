/*
 * answer_worker: the state and history of one worker. The target's output and
 * the current input lie where the target can write: they are copied once, then
 * cleaned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/front/answers.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "worker/target/environment.h"
#include "worker/worker.h"

static void
worker_answer_put_states(const struct worker *w, struct reply_worker *r)
{
	const struct worker_history *history = worker_get_history(w);
	const struct worker_moment *moment;
	struct reply_state *to;
	uint32_t i;

	r->states = xcalloc(QUERY_STATES_MAX, sizeof(*r->states));
	for (i = 0; (moment = worker_history_get(history, i)) != NULL; i++) {
		to = &r->states[r->states_n++];
		to->state = moment->state;
		to->at_s = (double)moment->at_ns / 1e9;
		snprintf(to->why, sizeof(to->why), "%s", moment->why);
	}
}

/*
 * The start of the shown text, at or after `from`: at a line, or at a character
 * if one line exceeds the limit.
 */
static size_t
worker_answer_end_of_lines(const char *text, size_t len, size_t from)
{
	const char *line = memchr(text + from - 1, '\n', len - from);

	if (line != NULL)
		return (size_t)(line - text) + 1;
	while (from < len && ((unsigned char)text[from] & 0xc0) == 0x80)
		from++;
	return from;
}

/*
 * Cleans n bytes by lines; an incomplete first line is left out. Cleaning
 * lengthens the text, so only its end is kept.
 */
static void
worker_answer_put_lines(const char *text, size_t n, bool cut,
	struct field_blob *blob)
{
	const char *end = text + n, *line = text, *next;
	char *all = xmalloc(4 * n + 1);
	size_t len = 0, from = 0;

	if (cut && n > 0 && (next = memchr(line, '\n', n - 1)) != NULL)
		line = next + 1;
	while (line < end) {
		next = memchr(line, '\n', (size_t)(end - line));
		len += text_clean(line,
			(size_t)((next != NULL ? next : end) - line), all + len,
			4 * n + 1 - len);
		if (next == NULL)
			break;
		all[len++] = '\n';
		line = next + 1;
	}
	if (len > QUERY_STDERR_MAX)
		from = worker_answer_end_of_lines(all, len,
			len - QUERY_STDERR_MAX);
	blob->len = len - from;
	blob->data = xmemdup(all + from, blob->len);
	free(all);
}

static void
worker_answer_put_output(struct worker *w, struct reply_worker *r)
{
	char *text = xmalloc(QUERY_STDERR_MAX);
	size_t n =
		worker_copy_output(w, text, QUERY_STDERR_MAX, &r->stderr_len);

	worker_answer_put_lines(text, n, n < r->stderr_len, &r->stderr_text);
	free(text);
}

static void
worker_answer_put_input(const struct worker *w, uint32_t count,
	struct reply_worker *r)
{
	size_t n = count < QUERY_BYTES_MAX ? count : QUERY_BYTES_MAX;

	r->input.data = xmalloc(n + 1);
	r->input.len = worker_sample_input(w, r->input.data, n, &r->input_len);
}

enum status
answer_worker(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_worker *r = &reply->worker;
	struct worker *w;

	w = query->worker < pool_count(e) ? pool_worker(e, query->worker)
					  : NULL;
	if (w == NULL)
		return error_set(err, E_NOT_FOUND, "there is no worker %u",
			query->worker);
	r->id = query->worker;
	worker_answer_put_states(w, r);
	worker_answer_put_output(w, r);
	worker_answer_put_input(w, query->count, r);
	environment_describe(program_envp(e), program_sanitizer(e), r->options,
		sizeof(r->options));
	return OK;
}
