/*
 * cmin_files: the files of a corpus. They are listed once, read again for each
 * run, and copied when chosen. They are never changed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "corpus/seeds.h"
#include "shared/campaign_folder.h"
#include "store/archive.h"
#include "tools/cmin_private.h"
#include "worker/inputs/input_text.h"

/* ---- reading ------------------------------------------------------------ */

static void
cmin_add(struct cmin *m, const struct seed *seed, bool is_foreign)
{
	struct cmin_input *input;

	m->inputs = xgrow(m->inputs, m->inputs_n, 1, sizeof(*m->inputs));
	input = &m->inputs[m->inputs_n++];
	*input = (struct cmin_input){ .len = seed->len,
		.is_foreign = is_foreign };
	input->path = xasprintf("%s/%s", seed->directory, seed->name);
	sha256_name(seed->data, seed->len, input->name);
	m->bytes += seed->len;
	input->is_in_folder =
		m->folder != NULL && strcmp(seed->directory, m->folder) == 0;
	if (input_room(seed->data, seed->len) > m->largest)
		m->largest = input_room(seed->data, seed->len);
}

/* The user's own files come first, see cmin_update.c. */
static int
cmin_rank(const struct cmin_input *input)
{
	return !input->is_in_folder ||
		cmin_is_own(strrchr(input->path, '/') + 1, input->name);
}

static int
cmin_compare_copies(const void *a, const void *b)
{
	const struct cmin_input *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	if (names != 0)
		return names;
	if (cmin_rank(x) != cmin_rank(y))
		return cmin_rank(x) - cmin_rank(y);
	if (x->is_in_folder != y->is_in_folder)
		return x->is_in_folder ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int
cmin_compare(const void *a, const void *b)
{
	const struct cmin_input *x = a, *y = b;

	if (cmin_rank(x) != cmin_rank(y))
		return cmin_rank(x) - cmin_rank(y);
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The update removes a copy that is ours. */
static void
cmin_drop_copy(struct cmin *m, struct cmin_input *kept,
	struct cmin_input *dropped)
{
	m->same++;
	if (dropped->is_in_folder && cmin_rank(dropped) > 0 &&
		kept->copy == NULL)
		kept->copy = dropped->path;
	else
		free(dropped->path);
}

/* Drops copies, and sorts inputs, smallest first. */
static void
cmin_sort(struct cmin *m)
{
	size_t i, n = 0;

	qsort(m->inputs, m->inputs_n, sizeof(*m->inputs), cmin_compare_copies);
	for (i = 0; i < m->inputs_n; i++) {
		if (n > 0 &&
			strcmp(m->inputs[i].name, m->inputs[n - 1].name) == 0)
			cmin_drop_copy(m, &m->inputs[n - 1], &m->inputs[i]);
		else
			m->inputs[n++] = m->inputs[i];
	}
	m->inputs_n = n;
	qsort(m->inputs, m->inputs_n, sizeof(*m->inputs), cmin_compare);
}

static void
cmin_say_skipped(const struct engine_config *config, const struct seeds *seeds)
{
	struct report report = { .kind = REPORT_LINE };
	char text[1024];
	int why;

	report.text = text;
	for (why = 0; why < SEEDS_SKIP_COUNT; why++)
		if (seeds_message(seeds, (enum seeds_skip)why, text,
			    sizeof(text)))
			config->report(config->arg, &report);
}

/* Reads all files. A folder in an output directory has inputs of its campaign,
 * which are bytes, whatever they look like. */
static void
cmin_add_all(struct cmin *m, struct seeds *seeds)
{
	const char *directory = NULL;
	bool is_foreign = false;
	enum seeds_step step;
	struct seed seed;
	char *output;

	do {
		step = seeds_next(seeds, &seed);
		if (step == SEEDS_ONE &&
			(directory == NULL || seed.directory != directory)) {
			directory = seed.directory;
			output = campaign_folder_of(directory);
			is_foreign = output == NULL;
			free(output);
		}
		if (step == SEEDS_ONE)
			cmin_add(m, &seed, is_foreign);
		free(seed.data);
	} while (step != SEEDS_END);
}

/* Replaces an output directory by its corpus. */
static char **
cmin_folders(char **folders, size_t *n)
{
	char **list;
	size_t i;

	for (*n = 0; folders[*n] != NULL; ++*n)
		;
	list = xcalloc(*n + 1, sizeof(*list));
	for (i = 0; i < *n; i++)
		list[i] = campaign_folder_is(folders[i])
			? xasprintf("%s/corpus", folders[i])
			: xstrdup(folders[i]);
	return list;
}

enum status
cmin_read(struct cmin *m, char **folders, const struct engine_config *config,
	struct error *err)
{
	const struct settings *settings = config->settings;
	size_t i, n,
		max = settings->origin[OPT_MAX_LEN] == ORIGIN_FLAG
		? settings->max_len
		: SETTINGS_MAX_LEN_MAX;
	char **list = cmin_folders(folders, &n);
	struct seeds *seeds;

	if (seeds_open(&seeds, list, n, -1, max, err) == OK)
		cmin_add_all(m, seeds);
	for (i = 0; i < n; i++)
		free(list[i]);
	free(list);
	if (err->code != OK)
		return err->code;
	m->files = m->inputs_n;
	cmin_say_skipped(config, seeds);
	seeds_close(seeds);
	if (m->inputs_n == 0)
		return error_set(err, E_USAGE,
			"there is no file to choose from");
	cmin_sort(m);
	return OK;
}

bool
cmin_load(struct cmin_input *input)
{
	char name[SHA256_HEX_SIZE];
	size_t len;

	if (file_read(input->path, input->len, &input->data, &len, NULL) != OK)
		return false;
	sha256_name(input->data, len, name);
	if (strcmp(name, input->name) == 0)
		return true;
	free(input->data);
	input->data = NULL;
	return false;
}

void
cmin_clear(struct cmin *m)
{
	size_t i;

	for (i = 0; i < m->inputs_n; i++) {
		free(m->inputs[i].path);
		free(m->inputs[i].copy);
		free(m->inputs[i].data);
		free(m->inputs[i].features);
	}
	free(m->inputs);
	free(m->again);
	free(m->chosen);
	free(m->seen);
	set_cover_destroy(m->cover);
}

/* ---- writing ------------------------------------------------------------ */

enum status
cmin_check_output(const char *output, struct error *err)
{
	struct dir_names names;
	enum status status = dir_list_at(AT_FDCWD, output, &names, err);
	size_t n = names.n;

	dir_names_clear(&names);
	if (status == E_NOT_FOUND) {
		error_clear(err);
		return OK;
	}
	if (status == OK && n > 0)
		return error_set(err, E_USAGE,
			"-o %s: the folder is not empty; name a new one",
			output);
	return status;
}

/* Names a file by the first digits of its hash, or by all of them if these are
 * taken. */
static enum status
cmin_copy(struct cmin_input *input, int dirfd, struct error *err)
{
	char name[SHA256_HEX_SIZE];
	enum status status;

	snprintf(name, sizeof(name), "%.*s", CMIN_NAME_LEN, input->name);
	if (faccessat(dirfd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		snprintf(name, sizeof(name), "%s", input->name);
	if (!cmin_load(input))
		return error_set(err, E_IO,
			"%s was changed or removed meanwhile", input->path);
	status = file_write_atomic_at(dirfd, name, input->data, input->len,
		FILE_FSYNC, err);
	free(input->data);
	input->data = NULL;
	return status;
}

enum status
cmin_write(struct cmin *m, struct error *err)
{
	enum status status =
		dir_create_at(AT_FDCWD, m->output, DIR_PARENTS, err);
	size_t i;
	int fd = -1;

	if (status == OK)
		status = dir_open_at(AT_FDCWD, m->output, 0, &fd, err);
	for (i = 0; i < m->chosen_n && status == OK; i++)
		status = cmin_copy(&m->inputs[m->chosen[i]], fd, err);
	if (status == OK)
		status = dir_sync(fd, err);
	if (status != OK)
		error_wrap(err, "%s is not complete", m->output);
	fd_close(&fd);
	return status;
}
