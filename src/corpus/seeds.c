/*
 * seeds: see seeds.h. Opening a source lists its names; the files are read one
 * by one. A shell may name thousands of them, so a descriptor is kept only of the
 * source that is being read.
 */
#include "corpus/seeds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"

#define SEEDS_EXAMPLES_SIZE 160
#define SEEDS_EXAMPLES 3u

/* A directory, or one file in its directory. */
struct seeds_source {
	bool from_corpus;
	char *directory; /* as in struct seed */
	struct dir_names names;
};

struct seeds_skipped {
	uint64_t n;
	char examples[SEEDS_EXAMPLES_SIZE]; /* cleaned names */
	char why[256]; /* cleaned reason for one of them, or "" */
};

struct seeds {
	struct seeds_source *sources;
	size_t n;
	size_t source, name; /* the next one */
	int fd;              /* of that source; -1: not opened yet */
	int corpus_dirfd;    /* the caller's */
	size_t max_len;
	struct tuple_types types;
	bool types_known;          /* else files are not converted */
	struct input_sequence own; /* seeds of the target itself */
	size_t own_next;
	char own_name[32]; /* name of the last one */
	uint64_t bytes_read;
	struct seeds_skipped skipped[SEEDS_SKIP_COUNT];
};

/* clang-format off */
static const char *const seeds_reasons[SEEDS_SKIP_COUNT] = {
	[SEEDS_SKIP_FOLDER]	= "a folder (name it as well)",
	[SEEDS_SKIP_LINK]	= "a symbolic link (not followed)",
	[SEEDS_SKIP_SPECIAL]	= "a FIFO, a socket or a device",
	[SEEDS_SKIP_LARGE]	= "over --max-len",
	[SEEDS_SKIP_UNREADABLE]	= "not readable",
	[SEEDS_SKIP_MALFORMED]	= "of other types than the target takes",
};
/* clang-format on */

/* ---- opening ------------------------------------------------------------ */

static struct seeds_source *
seeds_add_source(struct seeds *seeds, const char *directory)
{
	struct seeds_source *source;

	seeds->sources = xreallocarray(seeds->sources, seeds->n + 1,
		sizeof(*seeds->sources));
	source = &seeds->sources[seeds->n++];
	*source = (struct seeds_source){ .directory = xstrdup(directory) };
	return source;
}

/*
 * Opens a single file as a source: its folder with this one name. A symbolic
 * link named by the user is followed, unlike links in a folder.
 */
static enum status
seeds_open_file(struct seeds *seeds, const char *path, const char *shown,
	struct error *err)
{
	char *real = realpath(path, NULL), *slash;
	struct seeds_source *source;

	slash = real ? strrchr(real, '/') : NULL;
	if (!slash) {
		free(real);
		return error_set(err, E_USAGE,
			"cannot read the seed %s: its folder: %s", shown,
			strerror(errno));
	}
	*slash = 0;
	source = seeds_add_source(seeds, real);
	source->names.items = xmalloc(sizeof(*source->names.items));
	source->names.items[0] = xstrdup(slash + 1);
	source->names.n = 1;
	free(real);
	return OK;
}

static enum status
seeds_open_folder(struct seeds *seeds, const char *path, const char *shown,
	struct error *err)
{
	struct error why = { 0 };
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum status status;

	if (fd < 0)
		return error_set(err, E_USAGE,
			"cannot read the seeds in %s: %s", shown,
			strerror(errno));
	status = dir_list(fd, &seeds_add_source(seeds, path)->names, &why);
	fd_close(&fd);
	if (status != OK)
		return error_set(err, E_USAGE,
			"cannot read the seeds in %s: %s", shown, why.text);
	return OK;
}

static enum status
seeds_open_source(struct seeds *seeds, const char *path, struct error *err)
{
	char *shown = text_clean_dup(path, strlen(path));
	enum status status;
	struct stat st;

	if (stat(path, &st) < 0)
		status = error_set(err, E_USAGE,
			"cannot read the seeds in %s: %s", shown,
			strerror(errno));
	else if (S_ISDIR(st.st_mode))
		status = seeds_open_folder(seeds, path, shown, err);
	else if (!S_ISREG(st.st_mode))
		status = error_set(err, E_USAGE,
			"cannot read the seeds in %s: it is neither a folder "
			"nor a file",
			shown);
	else if (access(path, R_OK) < 0)
		status = error_set(err, E_USAGE, "cannot read the seed %s: %s",
			shown, strerror(errno));
	else
		status = seeds_open_file(seeds, path, shown, err);
	free(shown);
	return status;
}

static enum status
seeds_open_corpus(struct seeds *seeds, int dirfd, struct error *err)
{
	struct seeds_source *source;

	if (dirfd < 0)
		return OK;
	source = seeds_add_source(seeds, "corpus");
	source->from_corpus = true;
	seeds->corpus_dirfd = dirfd;
	return dir_list(dirfd, &source->names, err);
}

struct seeds_ranked {
	uint32_t rank;
	char *name;
};

static int
seeds_compare(const void *a, const void *b)
{
	const struct seeds_ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void
seeds_sort(struct dir_names *names, seeds_rank_fn *rank, void *arg)
{
	struct seeds_ranked *list = xcalloc(names->n + 1, sizeof(*list));
	size_t i;

	for (i = 0; i < names->n; i++)
		list[i] = (struct seeds_ranked){ rank(arg, names->items[i]),
			names->items[i] };
	qsort(list, names->n, sizeof(*list), seeds_compare);
	for (i = 0; i < names->n; i++)
		names->items[i] = list[i].name;
	free(list);
}

void
seeds_sort_corpus(struct seeds *seeds, seeds_rank_fn *rank, void *arg)
{
	size_t i;

	for (i = 0; i < seeds->n; i++)
		if (seeds->sources[i].from_corpus)
			seeds_sort(&seeds->sources[i].names, rank, arg);
}

enum status
seeds_open(struct seeds **seeds, char *const *sources, size_t n,
	int corpus_dirfd, size_t max_len, struct error *err)
{
	struct seeds *s = xcalloc(1, sizeof(*s));
	enum status status = OK;
	size_t i;

	s->max_len = max_len;
	s->fd = -1;
	for (i = 0; i < n && status == OK; i++)
		status = seeds_open_source(s, sources[i], err);
	if (status == OK)
		status = seeds_open_corpus(s, corpus_dirfd, err);
	if (status != OK) {
		seeds_close(s);
		s = NULL;
	}
	*seeds = s;
	return status;
}

void
seeds_close(struct seeds *seeds)
{
	size_t i;

	if (!seeds)
		return;
	for (i = 0; i < seeds->n; i++) {
		free(seeds->sources[i].directory);
		dir_names_clear(&seeds->sources[i].names);
	}
	fd_close(&seeds->fd);
	free(seeds->sources);
	input_sequence_clear(&seeds->own);
	free(seeds);
}

void
seeds_set_types(struct seeds *seeds, const struct tuple_types *types)
{
	seeds->types = *types;
	seeds->types_known = true;
}

void
seeds_set_own(struct seeds *seeds, const struct input_sequence *own)
{
	size_t i;

	for (i = 0; i < own->n; i++)
		input_sequence_push(&seeds->own,
			xmemdup(own->inputs[i].data, own->inputs[i].len),
			own->inputs[i].len);
}

/* ---- one file ----------------------------------------------------------- */

static void
seeds_add_example(struct seeds_skipped *skipped, const char *name)
{
	size_t len = strlen(skipped->examples), left;
	char clean[64];

	text_clean_string(name, clean, sizeof(clean));
	left = sizeof(skipped->examples) - len;
	if (len + strlen(clean) + 3 > sizeof(skipped->examples))
		return;
	snprintf(skipped->examples + len, left, "%s%s", len ? ", " : "", clean);
}

static enum seeds_step
seeds_skip(struct seeds *seeds, enum seeds_skip why, const char *name)
{
	struct seeds_skipped *skipped = &seeds->skipped[why];

	if (skipped->n++ < SEEDS_EXAMPLES)
		seeds_add_example(skipped, name);
	log_debug("seeds: %s: skipped: %s", name, seeds_reasons[why]);
	return SEEDS_SKIPPED;
}

static enum seeds_skip
seeds_kind(mode_t mode)
{
	if (S_ISDIR(mode))
		return SEEDS_SKIP_FOLDER;
	if (S_ISLNK(mode))
		return SEEDS_SKIP_LINK;
	return SEEDS_SKIP_SPECIAL;
}

/* May the file be text although the target takes plain bytes? */
static bool
seeds_is_foreign(const struct seeds *seeds, const struct seeds_source *source)
{
	return !source->from_corpus && seeds->types_known;
}

/* Converts the content of a file to an input. */
static enum seeds_step
seeds_convert(struct seeds *seeds, const struct seeds_source *source,
	const char *name, struct seed *seed)
{
	struct seeds_skipped *skipped = &seeds->skipped[SEEDS_SKIP_MALFORMED];
	struct error why = { 0 };
	enum status status = seeds_is_foreign(seeds, source)
		? input_from_seed(&seeds->types, &seed->data, &seed->len,
			  seeds->max_len, &why)
		: input_from_text(&seeds->types, &seed->data, &seed->len,
			  seeds->max_len, &why);

	if (status == OK)
		return SEEDS_ONE;
	free(seed->data);
	*seed = (struct seed){ 0 };
	if (status == E_RANGE)
		return seeds_skip(seeds, SEEDS_SKIP_LARGE, name);
	error_wrap(&why, "%s", name);
	if (skipped->why[0] == '\0')
		text_clean_string(why.text, skipped->why, sizeof(skipped->why));
	return seeds_skip(seeds, SEEDS_SKIP_MALFORMED, name);
}

/* The folder of the files; -1: it cannot be opened any more. */
static int
seeds_folder(struct seeds *seeds, const struct seeds_source *source)
{
	if (source->from_corpus)
		return seeds->corpus_dirfd;
	if (seeds->fd < 0)
		seeds->fd = open(source->directory[0] ? source->directory : "/",
			O_PATH | O_DIRECTORY | O_CLOEXEC);
	return seeds->fd;
}

/* The check gives a better message; the read checks again. */
static enum seeds_step
seeds_read(struct seeds *seeds, const struct seeds_source *source,
	const char *name, struct seed *seed)
{
	size_t max = seeds_is_foreign(seeds, source)
		? input_seed_max(seeds->max_len)
		: input_file_max(&seeds->types, seeds->max_len);
	int folder = seeds_folder(seeds, source);
	enum status status;
	struct stat st;

	if (folder < 0 || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return seeds_skip(seeds, SEEDS_SKIP_UNREADABLE, name);
	if (!S_ISREG(st.st_mode))
		return seeds_skip(seeds, seeds_kind(st.st_mode), name);
	status = file_read_at(folder, name, max, &seed->data, &seed->len, NULL);
	if (status == E_RANGE)
		return seeds_skip(seeds, SEEDS_SKIP_LARGE, name);
	if (status != OK)
		return seeds_skip(seeds, SEEDS_SKIP_UNREADABLE, name);
	seeds->bytes_read += seed->len;
	if (seeds_convert(seeds, source, name, seed) != SEEDS_ONE)
		return SEEDS_SKIPPED;
	seed->name = name;
	seed->directory = source->directory;
	seed->from_corpus = source->from_corpus;
	return SEEDS_ONE;
}

/* The target's memory is not trusted: invalid inputs are skipped. */
static enum seeds_step
seeds_next_own(struct seeds *seeds, struct seed *seed)
{
	const struct input_sequence_input *own =
		&seeds->own.inputs[seeds->own_next];

	snprintf(seeds->own_name, sizeof(seeds->own_name), "seed#%zu",
		seeds->own_next++);
	if (own->len > seeds->max_len)
		return seeds_skip(seeds, SEEDS_SKIP_LARGE, seeds->own_name);
	if (!input_is_sound(&seeds->types, own->data, own->len))
		return seeds_skip(seeds, SEEDS_SKIP_MALFORMED, seeds->own_name);
	seed->data = xmemdup(own->data, own->len);
	seed->len = own->len;
	seed->name = seeds->own_name;
	seed->directory = "";
	return SEEDS_ONE;
}

/* Half-written files of ours in the corpus are skipped without a message. */
static bool
seeds_is_left_over(const struct seeds_source *source, const char *name)
{
	return source->from_corpus &&
		strncmp(name, FILE_TMP_PREFIX, strlen(FILE_TMP_PREFIX)) == 0;
}

enum seeds_step
seeds_next(struct seeds *seeds, struct seed *seed)
{
	struct seeds_source *source;
	const char *name;

	memset(seed, 0, sizeof(*seed));
	if (seeds->own_next < seeds->own.n)
		return seeds_next_own(seeds, seed);
	while (seeds->source < seeds->n &&
		seeds->name == seeds->sources[seeds->source].names.n) {
		seeds->source++;
		seeds->name = 0;
		fd_close(&seeds->fd);
	}
	if (seeds->source == seeds->n)
		return SEEDS_END;
	source = &seeds->sources[seeds->source];
	name = source->names.items[seeds->name++];
	if (seeds_is_left_over(source, name))
		return SEEDS_SKIPPED;
	return seeds_read(seeds, source, name, seed);
}

/* ---- results ------------------------------------------------------------ */

uint64_t
seeds_bytes_read(const struct seeds *seeds)
{
	return seeds->bytes_read;
}

uint64_t
seeds_skipped(const struct seeds *seeds, enum seeds_skip why)
{
	return seeds->skipped[why].n;
}

bool
seeds_message(const struct seeds *seeds, enum seeds_skip why, char *buf,
	size_t size)
{
	const struct seeds_skipped *skipped = &seeds->skipped[why];

	if (skipped->n == 0)
		return false;
	if (skipped->n == 1)
		snprintf(buf, size, "1 seed skipped, it is %s: %s",
			seeds_reasons[why],
			skipped->why[0] != '\0' ? skipped->why
						: skipped->examples);
	else
		snprintf(buf, size, "%llu seeds skipped, each is %s: %s%s%s%s",
			(unsigned long long)skipped->n, seeds_reasons[why],
			skipped->examples,
			skipped->n > SEEDS_EXAMPLES ? " …" : "",
			skipped->why[0] != '\0' ? "; " : "", skipped->why);
	return true;
}
