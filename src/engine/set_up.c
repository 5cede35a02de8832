/*
 * set_up: memory, output directory and seeds of a campaign, before anything
 * runs.
 */
#include "engine/set_up.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory_limit.h"
#include "base/rlimits.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "control/share.h"
#include "corpus/corpus.h"
#include "corpus/corpus_list.h"
#include "corpus/dictionary.h"
#include "corpus/energy.h"
#include "corpus/seeds.h"
#include "engine/engine_coverage.h"
#include "engine/engine_private.h"
#include "engine/log/messages.h"
#include "engine/program.h"
#include "shared/wire/rpc.h"
#include "store/archive.h"
#include "store/store.h"
#include "worker/input_file.h"
#include "worker/inputs/input_text.h"
#include "worker/inputs/mutation_log.h"
#include "worker/memory/campaign_memory.h"
#include "worker/target/command_line.h"
#include "worker/target/environment.h"
#include "worker/worker.h"

#define CORPUS_BUDGET (64u << 20) /* bytes kept in memory */
#define REST_SPACE (100ull << 20) /* address space for all but inputs */
#define LOGS_ROOM (64u << 20)     /* for mutation logs */

extern char **environ;

enum status
set_up_log(const struct engine *e, struct error *err)
{
	const char *path = e->settings.debug;

	return path != NULL && path[0] != '\0' ? log_open(path, err) : OK;
}

void
set_up_names(struct engine *e, const char *target, char *const *args)
{
	e->target.path = xstrdup(target);
	e->target.name = xstrdup(e->target.info.name);
	e->output_path = settings_output(&e->settings, e->target.info.name);
	e->target.argv = command_line_create(&e->target.info, args);
}

static void
set_up_warn(void *arg, const char *text)
{
	message_keep_warning(arg, "dictionary", text);
}

/*
 * Shared memory for the corpus is mapped as a whole before there are any
 * entries. Under an address space limit it gets half of what remains, because
 * all targets map it too.
 */
static void
set_up_fit_corpus(struct engine *e)
{
	uint64_t want = e->settings.corpus_mem_mb, mb;
	uint64_t left = rlimits_free_address_space(), rest;
	char why[RLIMITS_TEXT_MAX], text[RLIMITS_TEXT_MAX + 128];
	struct worker_layout layout;

	if (left == UINT64_MAX)
		return;
	worker_layout_init(&layout, (uint32_t)e->settings.max_len);
	rest = REST_SPACE + 2 * e->settings.parallel * layout.size;
	mb = left > rest ? (left - rest) / 2 >> 20 : 0;
	if (mb >= want)
		return;
	e->settings.corpus_mem_mb = mb > 0 ? mb : 1;
	snprintf(text, sizeof(text),
		"the corpus has %llu MB in memory, not the %llu of "
		"--corpus-mem: %s",
		(unsigned long long)e->settings.corpus_mem_mb,
		(unsigned long long)want,
		rlimits_text(ENOMEM, why, sizeof(why)));
	message_keep_warning(e, "memory", text);
}

static void
set_up_warn_of_root(struct engine *e)
{
	if (geteuid() == 0 && !e->settings.isolate)
		message_keep_warning(e, "root",
			"the target runs as root with all rights of root: run "
			"cfuzz as another user, or with --isolate");
}

/* The kernel's SIGKILL tells neither that memory was short nor where. */
static void
set_up_warn_of_memory(struct engine *e)
{
	uint64_t given_mb = memory_limit() >> 20;
	char text[256];

	if (e->settings.rss_limit_mb <= given_mb)
		return;
	snprintf(text, sizeof(text),
		"lower --rss-limit, which is %llu: only %llu MB of memory are "
		"allowed here, and the system would end a target that needs "
		"more with SIGKILL, without its stack",
		(unsigned long long)e->settings.rss_limit_mb,
		(unsigned long long)given_mb);
	message_keep_warning(e, "memory", text);
}

/* Sets *path to an absolute path, because it is a program's argv[0], or to NULL
 * if there is none. */
static enum status
set_up_cmplog(struct engine *e, char **path, struct error *err)
{
	const char *name = e->settings.cmplog;
	char shown[256];

	*path = NULL;
	if (name[0] == '\0')
		return OK;
	if (e->target.info.adapter_fd == 0)
		return error_set(err, E_USAGE,
			"--cmplog is only for programs that AFL++ has built: "
			"leave it out");
	*path = realpath(name, NULL);
	text_clean_string(name, shown, sizeof(shown));
	return *path != NULL
		? isolation_show_beside(&e->target.isolation, *path, err)
		: error_set(err, E_USAGE, "--cmplog %s cannot be read: %s",
			  shown, strerror(errno));
}

enum status
set_up_memory(struct engine *e, struct error *err)
{
	struct environment_spec spec = {
		.rss_limit_mb = e->settings.rss_limit_mb,
		.no_leaks = e->settings.no_leaks,
		.clean = e->settings.clean_env,
		.preload = e->target.info.preload,
		.plain = strcmp(e->settings.coverage, "none") == 0,
	};
	char *cmplog;
	size_t i;

	set_up_warn_of_root(e);
	set_up_warn_of_memory(e);
	set_up_fit_corpus(e);
	if (set_up_cmplog(e, &cmplog, err) != OK)
		return err->code;
	spec.cmplog = cmplog;
	spec.program_fd = command_line_program_fd(&e->target.info);
	e->target.envp = environment_create(environ, &spec);
	free(cmplog);
	if (campaign_memory_open(&e->campaign.memory,
		    (uint32_t)e->settings.max_len,
		    e->settings.corpus_mem_mb << 20, err) != OK)
		return err->code;
	for (i = 0; i < e->settings.dict.n; i++)
		if (dictionary_load(e->settings.dict.items[i],
			    &e->campaign.memory, set_up_warn, e, err) != OK)
			return err->code;
	return OK;
}

static enum status
set_up_read(void *arg, const struct corpus_entry *entry, uint8_t **data,
	size_t *len, struct error *err)
{
	struct engine *e = arg;
	struct input_text text;
	const uint8_t *copy;

	if (entry->on_disk)
		return store_read(e->store, "corpus", entry->name,
			entry->file_len, data, len, err);
	copy = campaign_memory_entry(&e->campaign.memory, entry->arena, len);
	if (copy == NULL)
		return error_set(err, E_INTERNAL, "%s: its copy is missing",
			entry->name);
	input_text_init(&text, program_types(e), copy, *len);
	*data = xmemdup(text.data, text.len);
	*len = text.len;
	input_text_clear(&text);
	return OK;
}

/* The files from which a program reads are in the output directory, unless the
 * user names one. */
static void
set_up_input(struct engine *e)
{
	char *folder = realpath(e->output_path, NULL);

	e->target.input_folder =
		folder != NULL ? folder : xstrdup(e->output_path);
	e->target.input.folder = e->target.input_folder;
}

enum status
set_up_store(struct engine *e, char **args, struct error *err)
{
	struct store_config store = {
		.target = &e->target.info,
		.args = args,
		.seed = e->settings.seed,
		.seeds = e->settings.seeds.items,
		.seeds_n = e->settings.seeds.n,
		.isolation = &e->target.isolation,
		.base = e->base,
	};
	struct seeds *probe;
	/* The same campaign is under way: store_open() names its engine. */
	bool busy = archive_is_locked(e->output_path);
	gid_t group;

	if (input_file_check(&e->settings, program_folder(e), err) != OK ||
		(!busy && program_take_input(e, err) != OK) ||
		share_find_group(e->settings.share_group, &group, err) != OK)
		return err->code;
	/* Seeds first: a wrong name must not leave a directory behind. */
	if (seeds_open(&probe, e->settings.seeds.items, e->settings.seeds.n, -1,
		    e->settings.max_len, err) != OK)
		return err->code;
	seeds_close(probe);
	store.path = e->output_path;
	if (store_open(&e->store, &store, err) != OK ||
		program_take_input(e, err) != OK)
		return err->code;
	engine_coverage_check(e);
	input_file_remove_old(e->output_path);
	return set_up_corpus(e, err);
}

#define FUNCTION_SIZE sizeof(((struct program *)NULL)->function)

/* An export makes a program of the name. */
static bool
set_up_take_function(const char *text, size_t len, char name[FUNCTION_SIZE])
{
	snprintf(name, FUNCTION_SIZE, "%.*s", (int)len, text);
	if (len < FUNCTION_SIZE && rpc_is_name(name))
		return true;
	name[0] = '\0';
	return false;
}

/*
 * The function of a typed target; "": unknown. Output directories of earlier
 * versions have it in the calls of findings only, and there INPUT_CALL_NAMELESS
 * stands for a name that was not known.
 */
static void
set_up_function(const struct store_past *past, char name[FUNCTION_SIZE])
{
	const char *text = json_text_of(past->stats, "function");
	size_t i, len = strlen(text);

	if (set_up_take_function(text, len, name) && len > 0)
		return;
	for (i = 0; i < past->buckets_n && past->types.n > 0; i++) {
		text = json_text_of(past->buckets[i].info, "call");
		len = strcspn(text, "(");
		if (text[len] == '(' && set_up_take_function(text, len, name) &&
			len > 0 && strcmp(name, INPUT_CALL_NAMELESS) != 0)
			return;
	}
	name[0] = '\0';
}

/* Uses what the last run knew of the program, until a worker reports it. The
 * names of inputs that are kept depend on the types. */
static void
set_up_facts(struct engine *e)
{
	const struct store_past *past = store_past(e->store);
	char function[FUNCTION_SIZE], sanitizer[32];

	set_up_function(past, function);
	program_set_types(e, &past->types, function);
	text_clean_string(json_text_of(past->stats, "sanitizer"), sanitizer,
		sizeof(sanitizer));
	program_set_build(e, sanitizer, program_is_instrumented(e));
}

enum status
set_up_corpus(struct engine *e, struct error *err)
{
	set_up_facts(e);
	set_up_input(e);
	e->campaign.corpus = corpus_create(CORPUS_BUDGET, set_up_read, e);
	e->campaign.energy =
		energy_create(&e->campaign.memory, e->campaign.corpus);
	e->campaign.list =
		corpus_list_create(e->campaign.corpus, e->campaign.energy);
	e->campaign.logs = mutation_logs_create(LOGS_ROOM);
	return seeds_open(&e->load.seeds, e->settings.seeds.items,
		e->settings.seeds.n, store_corpus_fd(e->store),
		e->settings.max_len, err);
}
