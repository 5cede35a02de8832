/* warmup: see warmup.h. */
#include "engine/corpus/warmup.h"

#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/corpus/load.h"
#include "engine/functions/new_functions.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/run_clock.h"
#include "engine/statistics/statistics.h"
#include "worker/memory/campaign_memory.h"

void
warmup_finish(struct engine *e)
{
	run_clock_begin_fuzzing(engine_clock(e));
	counts_note_news(e); /* from now on, nothing new means a plateau */
	if (load_warmup_total(e) > 0)
		statistics_warm(e);
	message_event(e, "warm",
		json_pack("{s:I, s:I}", "inputs",
			(json_int_t)load_warmup_total(e), "bits",
			(json_int_t)engine_memory(e)->bits),
		"finished processing input corpus, entries: %zu, initial "
		"coverage bits: %llu",
		corpus_len(engine_corpus(e)),
		(unsigned long long)engine_memory(e)->bits);
	new_functions_on_warm(e);
}

void
warmup_end_input(struct engine *e)
{
	if (load_end_input(e))
		warmup_finish(e);
}

void
warmup_skip_input(struct engine *e, struct corpus_entry *entry, bool gone)
{
	if (!entry->is_lost)
		message_event(e, "worker", NULL,
			"input %.16s can no longer be read", entry->name);
	if (gone)
		energy_lose(engine_energy(e), entry);
	if (load_is_warming(e))
		warmup_end_input(e);
}
