/*
 * scheduling: see scheduling.h.
 */
#include "lib/scheduling.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/schedule/schedule_next.h"
#include "engine/schedule/trim.h"

struct corpus_entry *
scheduling_add(struct scheduling *f, size_t len)
{
	uint8_t *data = xcalloc(1, len + 1);
	struct corpus_entry *entry;

	data[0] = (uint8_t)corpus_len(f->e->campaign.corpus);
	entry = corpus_add(f->e->campaign.corpus, data, len, CORPUS_NONE, NULL);
	entry->arena =
		campaign_memory_add_entry(&f->e->campaign.memory, data, len);
	energy_place(f->e->campaign.energy, entry);
	free(data);
	return entry;
}

int
scheduling_open(void **state)
{
	struct scheduling *f = xcalloc(1, sizeof(*f));
	struct engine *e = xcalloc(1, sizeof(*e));

	f->e = e;
	f->slot = &e->pool.slots[0];
	settings_init(&e->settings);
	assert_int_equal(campaign_memory_open(&e->campaign.memory,
				 SCHEDULING_MAX_LEN, 65536, NULL),
		OK);
	assert_true(campaign_memory_add_module(&e->campaign.memory, 1,
		SCHEDULING_COUNTERS));
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	e->campaign.energy =
		energy_create(&e->campaign.memory, e->campaign.corpus);
	e->pool.n = e->schedule.processors = 1;
	e->pool.slots[0].wanted = true;
	e->settings.max_len = SCHEDULING_MAX_LEN;
	f->entry = scheduling_add(f, 100);
	*state = f;
	return 0;
}

int
scheduling_close(void **state)
{
	struct scheduling *f = *state;

	trim_drop_all(f->e);
	queue_clear(&f->e->trims.queue);
	queue_clear(&f->e->schedule.inputs);
	queue_clear(&f->e->schedule.user_queue);
	energy_destroy(f->e->campaign.energy);
	corpus_destroy(f->e->campaign.corpus);
	campaign_memory_close(&f->e->campaign.memory);
	settings_clear(&f->e->settings);
	free(f->e);
	free(f);
	return 0;
}

void
scheduling_set(struct scheduling *f, const char *name, const char *value)
{
	assert_int_equal(settings_set(&f->e->settings, name, value, ORIGIN_FLAG,
				 NULL),
		OK);
}

/* Takes the next job, which must be of this kind. */
struct job
scheduling_take(struct scheduling *f, enum job_kind kind)
{
	struct job job;

	assert_true(schedule_next(f->e, f->slot, &job));
	assert_int_equal(job.kind, kind);
	schedule_taken(f->e, f->slot, &job);
	return job;
}

struct CMUnitTest
scheduling_row(const char *name, CMUnitTestFunction function, const void *row)
{
	return (struct CMUnitTest){ name, function, NULL, NULL,
		(void *)(uintptr_t)row };
}
