/*
 * cmin_update: keeps a folder of inputs small, see engine/engine.h.
 *
 * Files that are not ours sort first, so they are chosen before inputs of the
 * campaign that do the same, and they are never removed. Our files are told by
 * their names: CMIN_OWN and the start of the hash of their content. A file that
 * was renamed or changed is no longer ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "tools/archive_config.h"
#include "tools/cmin_private.h"

#define CMIN_OWN "cfuzz-"

struct update {
	struct cmin cmin;
	const char *folder, *output;
	const struct dir_names *kept; /* names in the output's corpus */
	int folder_fd, corpus_fd;
	uint64_t added, removed;
};

static const char *
update_base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

bool
cmin_is_own(const char *name, const char *hash)
{
	size_t len = strlen(CMIN_OWN);

	return strncmp(name, CMIN_OWN, len) == 0 &&
		strlen(name) >= len + CMIN_NAME_LEN &&
		strncmp(name + len, hash, strlen(name) - len) == 0;
}

static int
update_compare_names(const void *a, const void *b)
{
	return strcmp(a, *(char *const *)b);
}

/* It was in the output's corpus before this run. */
static bool
update_was_there(const struct update *u, const char *name)
{
	return u->kept->n > 0 &&
		bsearch(name, u->kept->items, u->kept->n, sizeof(char *),
			update_compare_names) != NULL;
}

static enum status
update_add(struct update *u, struct cmin_input *input, struct error *err)
{
	char name[sizeof(CMIN_OWN) + SHA256_HEX_SIZE];
	enum status status;

	if (!cmin_load(input))
		return error_set(err, E_IO,
			"%s was changed or removed meanwhile", input->path);
	snprintf(name, sizeof(name), CMIN_OWN "%.*s", CMIN_NAME_LEN,
		input->name);
	if (faccessat(u->folder_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		snprintf(name, sizeof(name), CMIN_OWN "%s", input->name);
	status = file_write_atomic_at(u->folder_fd, name, input->data,
		input->len, FILE_FSYNC, err);
	if (status != OK)
		error_wrap(err, "%s", u->folder);
	free(input->data);
	input->data = NULL;
	u->added += status == OK;
	return status;
}

/* Does its file still have the content that was run? */
static bool
update_is_unchanged(struct cmin_input *input)
{
	bool same = cmin_load(input);

	if (same)
		free(input->data);
	input->data = NULL;
	return same;
}

/* A superfluous file goes if it is ours. */
static enum status
update_remove(struct update *u, struct cmin_input *input, struct error *err)
{
	const char *name = update_base_name(input->path);
	bool ours = input->is_in_folder ? cmin_is_own(name, input->name)
					: !update_was_there(u, name);

	if (!ours || !update_is_unchanged(input))
		return OK;
	if (unlinkat(input->is_in_folder ? u->folder_fd : u->corpus_fd, name,
		    0) != 0 &&
		errno != ENOENT)
		return error_set(err, E_IO, "%s cannot be removed: %s",
			input->path, strerror(errno));
	u->removed += input->is_in_folder;
	return OK;
}

/* One file with this content is enough, as long as it is there. */
static enum status
update_remove_copy(struct update *u, struct cmin_input *input,
	struct error *err)
{
	struct cmin_input copy = *input;

	if (input->copy == NULL || !update_is_unchanged(input))
		return OK;
	copy.path = input->copy;
	copy.is_in_folder = true;
	return update_remove(u, &copy, err);
}

/* First all that is new, then what is superfluous: a run that is interrupted
 * loses no coverage. */
static enum status
update_write(struct update *u, struct error *err)
{
	struct cmin *m = &u->cmin;
	bool *is_chosen = xcalloc(m->inputs_n, sizeof(*is_chosen));
	enum status status = OK;
	size_t i;

	for (i = 0; i < m->chosen_n && status == OK; i++) {
		is_chosen[m->chosen[i]] = true;
		if (!m->inputs[m->chosen[i]].is_in_folder)
			status = update_add(u, &m->inputs[m->chosen[i]], err);
	}
	if (status == OK)
		status = dir_sync(u->folder_fd, err);
	for (i = 0; i < m->inputs_n && status == OK; i++) {
		if (m->inputs[i].state != CMIN_RUN)
			continue;
		status = update_remove_copy(u, &m->inputs[i], err);
		if (status == OK && !is_chosen[i])
			status = update_remove(u, &m->inputs[i], err);
	}
	free(is_chosen);
	return status;
}

static void
update_say(const struct update *u)
{
	const struct cmin *m = &u->cmin;
	char folder[512];

	cmin_say_left_out(m);
	text_clean_string(u->folder, folder, sizeof(folder));
	runner_say(&m->runner,
		"corpus: %llu input%s added to %s, %llu removed; %llu bits",
		(unsigned long long)u->added, u->added == 1 ? "" : "s", folder,
		(unsigned long long)u->removed,
		(unsigned long long)set_cover_features(m->cover));
	runner_say_event(&m->runner,
		json_pack("{s:s, s:o, s:o, s:o, s:o}", "event", "corpus",
			"output", json_text_new(u->folder), "added",
			json_count_new(u->added), "removed",
			json_count_new(u->removed), "bits",
			json_count_new(set_cover_features(m->cover))));
}

static enum exit_status
update_finish(struct update *u, struct error *err)
{
	uint64_t lost = u->cmin.counts[CMIN_NOT_RUN];

	if (!u->cmin.done) {
		error_set(err, E_STATE, "stopped: the corpus is unchanged");
		return EXIT_LOST;
	}
	if (update_write(u, err) != OK)
		return EXIT_LOST;
	update_say(u);
	if (lost == 0)
		return EXIT_NOTHING;
	error_set(err, E_STATE, "%llu input%s could not be run",
		(unsigned long long)lost, lost == 1 ? "" : "s");
	return EXIT_LOST;
}

static enum status
update_open(struct update *u, char **folders, struct error *err)
{
	if (dir_create_at(AT_FDCWD, u->folder, DIR_PARENTS, err) != OK ||
		dir_open_at(AT_FDCWD, u->folder, 0, &u->folder_fd, err) != OK)
		return err->code;
	return dir_open_at(AT_FDCWD, folders[1], 0, &u->corpus_fd, err);
}

/* Then there is nothing to choose files by. */
static bool
update_lacks_coverage(const struct update *u)
{
	const struct runner *runner = &u->cmin.runner;

	return runner->any_ready && !runner->instrumented;
}

enum exit_status
engine_update_corpus(const struct engine_config *config, const char *folder,
	const char *output, const struct dir_names *kept, struct error *err)
{
	struct update u = { .cmin.folder = folder,
		.folder = folder,
		.output = output,
		.kept = kept,
		.folder_fd = -1,
		.corpus_fd = -1 };
	char *corpus = xasprintf("%s/corpus", output);
	char *folders[] = { (char *)(uintptr_t)folder, corpus, NULL };
	enum exit_status status = EXIT_LOST;
	struct archive_config archive;

	archive_config_init(&archive, config, output);
	if (update_open(&u, folders, err) == OK) {
		bool read = cmin_read(&u.cmin, folders, config, err) == OK;

		if (read && cmin_run(&u.cmin, &archive, err) == OK)
			status = update_finish(&u, err);
		else if (!read || update_lacks_coverage(&u))
			status = EXIT_SETUP;
		runner_close(&u.cmin.runner);
	}
	fd_close(&u.folder_fd);
	fd_close(&u.corpus_fd);
	cmin_clear(&u.cmin);
	archive_config_clear(&archive);
	free(corpus);
	return status;
}
