/* answer_corpus: rows of the list of entries. */
#include <stdio.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "corpus/corpus.h"
#include "corpus/corpus_list.h"
#include "corpus/energy.h"
#include "engine/engine_over_state.h"
#include "engine/front/answers.h"
#include "engine/parts.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/counts.h"

void
answer_row(const struct engine *e, const struct corpus_entry *entry,
	struct reply_row *row)
{
	const struct corpus_entry *parent =
		corpus_get(engine_corpus(e), entry->parent);

	*row = (struct reply_row){
		.index = entry->index,
		.generation = entry->generation,
		.len = entry->file_len,
		.new_bits = entry->new_bits,
		.exec_us = (double)entry->exec_ns / 1e3,
		.found_at_s = entry->found_at_s,
		.energy = energy_share(engine_energy(e), entry),
		.finds = entry->finds,
		.executions = over_stats(e) != NULL ? -1 : entry->executions,
		.seed = entry->is_seed,
		.favoured = entry->favoured,
		.unstable = entry->unstable,
		.progress = entry->of_value_profile,
	};
	snprintf(row->name, sizeof(row->name), "%.16s", entry->name);
	if (parent != NULL)
		snprintf(row->parent, sizeof(row->parent), "%.16s",
			parent->name);
}

/* The order may change with each of these. */
static uint64_t
corpus_revision(const struct engine *e)
{
	return counts_executions(e) + corpus_len(engine_corpus(e)) +
		schedule_refreshed_ns(e);
}

enum status
answer_corpus(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	const struct corpus_order order = {
		.sort = query->sort,
		.falling = query->falling,
		.filter = query->filter,
	};
	const struct corpus_entry *rows[QUERY_ROWS_MAX], *named;
	struct reply_corpus *r = &reply->corpus;
	size_t matching, n, i;

	if (corpus_list_choose(engine_corpus_list(e), &order, clock_now_ns(),
		    corpus_revision(e), &matching, err) != OK)
		return err->code;
	r->total = corpus_len(engine_corpus(e));
	r->matching = matching;
	r->first = query->first < matching ? query->first : matching;
	n = answer_count(query, matching, QUERY_ROWS_MAX);
	named = query->name[0] != '\0'
		? corpus_find_name(engine_corpus(e), query->name)
		: NULL;
	if (named != NULL)
		r->place = corpus_list_place(engine_corpus_list(e), named);
	corpus_list_rows(engine_corpus_list(e), r->first, n, rows);
	r->rows = xcalloc(n + 1, sizeof(*r->rows));
	for (i = 0; i < n; i++)
		answer_row(e, rows[i], &r->rows[i]);
	r->rows_n = n;
	return OK;
}
