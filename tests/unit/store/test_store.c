/*
 * test_store: an output directory is created, resumed, repaired or refused; and
 * findings are never changed.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#include "store/store_finding.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "lib/fault.h"
#include "lib/tree.h"
#include "store/journal.h"

#define TIMEOUT_MS 10000

/* ---- help --------------------------------------------------------------- */

static const struct target_info target_a = { .fd = -1,
	.path = "/bin/a",
	.name = "a",
	.id = "aa11" };
static const struct target_info target_a_rebuilt = { .fd = -1,
	.path = "/bin/a",
	.name = "a",
	.id = "aa22" };
static const struct target_info target_a_moved = { .fd = -1,
	.path = "/usr/bin/a",
	.name = "a",
	.id = "aa11" };
static const struct target_info target_b = { .fd = -1,
	.path = "/bin/b",
	.name = "b",
	.id = "bb11" };

static enum status
try_open(const struct tree *tree, const char *name,
	const struct target_info *target, struct store **store,
	struct error *err)
{
	struct store_config config = {
		.path = tree_path(tree, name),
		.target = target,
		.seed = 7,
		.base = tree->base,
	};

	if (err)
		error_clear(err);
	return store_open(store, &config, err);
}

static struct store *
must_open(const struct tree *tree, const char *name,
	const struct target_info *target)
{
	struct error err = { 0 };
	struct store *store;

	if (try_open(tree, name, target, &store, &err) != OK) {
		print_error("%s\n", err.text);
		fail();
	}
	return store;
}

static void
finish(struct store *store)
{
	assert_int_equal(store_finish(store, TIMEOUT_MS, NULL, NULL), 0);
	store_close(store);
}

static void
refused(const struct tree *tree, const char *name,
	const struct target_info *target, enum status want, const char *words)
{
	struct store *store;
	struct error err;
	enum status status = try_open(tree, name, target, &store, &err);

	if (status != want || !strstr(err.text, words))
		print_error("%s: %d: %s\n", words, (int)status, err.text);
	row_check(status == want, "%s", words);
	row_check(store == NULL, "%s", words);
	row_check(strstr(err.text, words), "%s", words);
	row_check(strstr(err.text, name), "%s", words);
}

/* All names below a folder with type, size and inode, to detect changes. */
static char *
listing(const struct tree *tree, const char *name)
{
	char command[512], *text = calloc(1, 65536);
	FILE *pipe;

	snprintf(command, sizeof(command),
		"cd %s && find . -printf '%%p %%y %%s %%i %%T@\\n' | sort",
		tree_path(tree, name));
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_true(fread(text, 1, 65535, pipe) > 0);
	pclose(pipe);
	return text;
}

static void
check_mode(const struct tree *tree, const char *name, mode_t mode)
{
	struct stat st;

	row_check(fstatat(tree->fd, name, &st, 0) == 0, "%s", name);
	row_check((st.st_mode & 0777) == mode, "%s", name);
}

/* ---- new ---------------------------------------------------------------- */

static void
test_new(void **state)
{
	static const char *const folders[] = { "o", "o/corpus", "o/crashes",
		"o/hangs", "o/ooms", "o/leaks", "o/suspects" };
	static const mode_t masks[] = { 0, 022, 0777 };
	const struct tree *tree = *state;
	struct store *store;
	char name[16], *text;
	mode_t old;
	size_t i, m;

	for (m = 0; m < sizeof(masks) / sizeof(*masks); m++) {
		snprintf(name, sizeof(name), "deep%zu/o", m);
		old = umask(masks[m]);
		store = must_open(tree, name, &target_a);
		umask(old);
		assert_int_equal(renameat(tree->fd, name, tree->fd, "o"), 0);
		for (i = 0; i < sizeof(folders) / sizeof(*folders); i++)
			check_mode(tree, folders[i], 0700);
		check_mode(tree, "o/journal.jsonl", 0600);
		check_mode(tree, "o/.lock", 0600);
		check_mode(tree, "o/.reserve", 0600);
		assert_int_equal(store_past(store)->runs, 0);
		assert_null(store_warning(store, 0));
		text = tree_read(tree, "o/journal.jsonl", NULL);
		assert_non_null(strstr(text, "\"event\":\"campaign\""));
		assert_non_null(strstr(text, "\"target\":\"/bin/a\""));
		free(text);
		finish(store);
		assert_false(tree_has(tree, "o/.reserve"));
		assert_int_equal(renameat(tree->fd, "o", tree->fd,
					 folders[1] + 2),
			0);
		assert_int_equal(renameat(tree->fd, "corpus", tree->fd, name),
			0);
	}
}

static void
count_cb(void *arg, enum status status)
{
	assert_int_equal(status, OK);
	(*(unsigned *)arg)++;
}

static void
test_writes(void **state)
{
	const struct tree *tree = *state;
	struct store *store = must_open(tree, "o", &target_a);
	json_t *json = json_pack("{s:s, s:f}", "state", "new", "rate", 0.1);
	json_t *event = journal_event("find", 1);
	char folder[STORE_FOLDER_SIZE], *text;
	unsigned done = 0;
	uint8_t *data;
	size_t len;

	store_add_entry(store, "ba7816bf8f01cfea", NULL, "abc", 3, count_cb,
		&done);
	store_claim(store, "crashes/segv-main-01234567", folder);
	assert_string_equal(folder, "crashes/segv-main-01234567");
	store_put(store, folder, "input", "boom", 4, count_cb, &done);
	store_put(store, folder, "report.txt", "r", 1, count_cb, &done);
	store_put_json(store, folder, "crash.json", json);
	assert_true(store_put_more(store, folder, "boom2", 5));
	assert_true(store_add_suspect(store, "sus", 3));
	store_write_stats(store, json);
	store_log(store, event, true);
	tree_wait(tree, &done, 3);
	/* Minimized twice, and a second input. */
	store_put(store, folder, "minimized", "bo", 2, NULL, NULL);
	store_put(store, folder, "minimized", "b", 1, NULL, NULL);
	store_put(store, folder, "input", "other", 5, NULL, NULL);
	store_put_sequence(store, folder, 1, "one", 3, false, NULL, NULL);
	store_put_sequence(store, folder, 12, "twelve", 6, true, NULL, NULL);
	/* A shorter sequence replaces a longer one. */
	store_put_sequence(store, folder, 13, "thirteen", 8, true, NULL, NULL);
	store_remove_sequence(store, folder, 13);
	store_put_before(store, folder, "before", 6);
	store_put_before(store, folder, NULL, 0);
	/* A removed suspect may be added again. */
	assert_true(store_add_suspect(store, "gone", 4));
	store_remove_suspect(store, "gone", 4);
	assert_true(store_add_suspect(store, "back", 4));
	store_remove_suspect(store, "back", 4);
	assert_int_equal(store_finish(store, TIMEOUT_MS, NULL, NULL), 0);

	assert_true(tree_holds(tree, "o/corpus/ba7816bf8f01cfea", "abc"));
	assert_true(
		tree_holds(tree, "o/crashes/segv-main-01234567/input", "boom"));
	assert_true(tree_holds(tree, "o/crashes/segv-main-01234567/minimized",
		"b"));
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/input-d9298a10d1b07358",
		"other"));
	assert_int_equal(tree_count(tree, "o/crashes/segv-main-01234567/more"),
		1);
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/sequence/000001", "one"));
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/sequence/000012", "twelve"));
	assert_int_equal(tree_count(tree,
				 "o/crashes/segv-main-01234567/sequence"),
		2);
	assert_false(tree_holds(tree, "o/crashes/segv-main-01234567/before",
		"before"));
	assert_int_equal(tree_count(tree, "o/suspects"), 1);
	text = tree_read(tree, "o/stats.json", NULL);
	assert_non_null(strstr(text, "\"rate\": 0.1\n"));
	free(text);
	text = tree_read(tree, "o/journal.jsonl", NULL);
	assert_non_null(strstr(text, "\"event\":\"find\""));
	free(text);
	assert_int_equal(store_read(store, folder, "input", 10, &data, &len,
				 NULL),
		OK);
	assert_int_equal(len, 4);
	free(data);
	assert_int_equal(store_read(store, "corpus", "none", 10, &data, &len,
				 NULL),
		E_NOT_FOUND);
	store_close(store);
	json_decref(json);
	json_decref(event);
}

static void
test_bounds(void **state)
{
	const struct tree *tree = *state;
	struct store *store = must_open(tree, "o", &target_a);
	char folder[STORE_FOLDER_SIZE], other[STORE_FOLDER_SIZE], text[16];
	unsigned i, kept = 0;

	store_claim(store, "crashes/x", folder);
	store_claim(store, "crashes/x", other);
	assert_string_equal(other, "crashes/x-2");
	store_claim(store, "crashes/x", other);
	assert_string_equal(other, "crashes/x-3");
	store_put(store, folder, "input", "0", 1, NULL, NULL);
	assert_false(store_put_more(store, folder, "0", 1)); /* the same */
	for (i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "%u", i / 2);
		kept += store_put_more(store, folder, text, strlen(text));
	}
	assert_int_equal(kept, STORE_INPUTS_MAX - 1);
	for (i = kept = 0; i < 2 * STORE_SUSPECTS_MAX; i++) {
		snprintf(text, sizeof(text), "%u", i);
		kept += store_add_suspect(store, text, strlen(text));
	}
	assert_int_equal(kept, STORE_SUSPECTS_MAX);
	finish(store);
	assert_int_equal(tree_count(tree, "o/suspects"), STORE_SUSPECTS_MAX);
	assert_int_equal(tree_count(tree, "o/crashes/x/more"),
		STORE_INPUTS_MAX - 1);
	/* The limits hold over several runs. */
	store = must_open(tree, "o", &target_a);
	assert_false(store_put_more(store, folder, "another", 7));
	assert_false(store_add_suspect(store, "another", 7));
	finish(store);
}

/* ---- resumed ------------------------------------------------------------ */

static void
make_campaign(const struct tree *tree, const char *name)
{
	struct store *store = must_open(tree, name, &target_a);
	json_t *info = json_pack("{s:s, s:i}", "signature", "0123", "count", 3);
	json_t *stats = json_pack("{s:f, s:i}", "elapsed_s", 12.5, "execs", 9);
	json_t *event = journal_event("find", 11);

	store_put(store, "crashes/a", "input", "in", 2, NULL, NULL);
	store_put(store, "crashes/a", "minimized", "i", 1, NULL, NULL);
	store_put_json(store, "crashes/a", "crash.json", info);
	store_put_more(store, "crashes/a", "more", 4);
	store_put(store, "hangs/b", "input", "loop", 4, NULL, NULL);
	store_add_suspect(store, "s", 1);
	store_add_entry(store, "ba7816bf8f01cfea", NULL, "abc", 3, NULL, NULL);
	store_write_stats(store, stats);
	store_log(store, event, false);
	finish(store);
	json_decref(info);
	json_decref(stats);
	json_decref(event);
}

static void
check_campaign(const struct store *store)
{
	const struct store_past *past = store_past(store);
	const struct store_bucket *a = &past->buckets[0];

	assert_int_equal(past->buckets_n, 2);
	assert_string_equal(a->folder, "crashes/a");
	assert_true(a->has_input && a->has_minimized);
	assert_int_equal(a->input_len, 2);
	assert_int_equal(a->minimized_len, 1);
	assert_int_equal(a->more, 1);
	assert_string_equal(past->buckets[1].folder, "hangs/b");
	assert_false(past->buckets[1].has_minimized);
	assert_null(past->buckets[1].info);
	assert_int_equal(past->suspects, 1);
}

static void
test_resume(void **state)
{
	static const struct target_info *const targets[] = { &target_a,
		&target_a_rebuilt, &target_a_moved };
	const struct tree *tree = *state;
	const struct store_past *past;
	struct store *store;
	char folder[STORE_FOLDER_SIZE];
	unsigned i;

	make_campaign(tree, "o");
	tree_text(tree, "o/.tmp-0123", "half");
	tree_text(tree, "o/corpus/.tmp-0123", "half");
	tree_folder(tree, "o/crashes/empty");
	tree_text(tree, "o/crashes/empty/.tmp-0123", "half");
	tree_text(tree, "o/crashes/README", "of the user");
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		store = must_open(tree, "o", targets[i]);
		check_campaign(store);
		past = store_past(store);
		assert_int_equal(past->runs, i + 1);
		assert_true(past->elapsed_s == 12.5);
		assert_int_equal(json_integer_value(
					 json_object_get(past->stats, "execs")),
			9);
		assert_int_equal(json_integer_value(
					 json_object_get(past->buckets[0].info,
						 "count")),
			3);
		assert_null(store_warning(store, 0));
		store_claim(store, "crashes/a", folder);
		assert_string_equal(folder, "crashes/a-2");
		store_forget(store);
		assert_int_equal(past->buckets_n, 0);
		finish(store);
	}
	assert_false(tree_has(tree, "o/.tmp-0123"));
	assert_false(tree_has(tree, "o/corpus/.tmp-0123"));
	assert_false(tree_has(tree, "o/crashes/empty"));
	assert_true(tree_holds(tree, "o/crashes/README", "of the user"));
}

/* ---- damaged ------------------------------------------------------------ */

static bool
has_aside(const struct tree *tree, const char *folder, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command),
		"ls %s | grep -q '^%s.damaged-[0-9TZ]*\\(-[0-9]*\\)*$'",
		tree_path(tree, folder), name);
	return system(command) == 0;
}

static void
test_damaged(void **state)
{
	static const struct {
		const char *name, *file, *text;
		const char *warning; /* NULL: none */
		bool aside;
	} rows[] = {
		{ "journal empty", "journal.jsonl", "", "was damaged", true },
		{ "journal garbage", "journal.jsonl", "\xff\x01\n{}\n",
			"was damaged", true },
		{ "journal torn at once", "journal.jsonl", "{\"event\":\"cam",
			"was damaged", true },
		{ "stats empty", "stats.json", "", "was damaged", true },
		{ "stats cut", "stats.json", "{\"elapsed_s\": 1", "was damaged",
			true },
		{ "stats an array", "stats.json", "[]", "was damaged", true },
		{ "crash.json cut", "crashes/a/crash.json", "{\"cou",
			"crashes/a/crash.json was damaged", true },
	};
	const struct tree *tree = *state;
	struct store *store;
	char name[16], path[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "o%zu", i);
		make_campaign(tree, name);
		snprintf(path, sizeof(path), "%s/%s", name, rows[i].file);
		tree_text(tree, path, rows[i].text);
		store = must_open(tree, name, &target_a);
		row_check(store_warning(store, 0) &&
				strstr(store_warning(store, 0),
					rows[i].warning),
			"%s", rows[i].name);
		row_check(!store_warning(store, 1), "%s", rows[i].name);
		check_campaign(store);
		finish(store);
		*strrchr(path, '/') = 0;
		row_check(has_aside(tree, path,
				  strrchr(rows[i].file, '/') ? "crash.json"
							     : rows[i].file),
			"%s", rows[i].name);
		/* The damage is gone, and the new file is valid. */
		store = must_open(tree, name, &target_a);
		row_check(!store_warning(store, 0), "%s", rows[i].name);
		finish(store);
	}
}

static void
test_torn_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store;
	char *whole, *text;
	size_t len, cut;

	make_campaign(tree, "o");
	whole = tree_read(tree, "o/journal.jsonl", &len);
	cut = (size_t)(strchr(whole, '\n') - whole) + 20;
	tree_write(tree, "o/journal.jsonl", whole, cut);
	store = must_open(tree, "o", &target_a);
	assert_non_null(strstr(store_warning(store, 0), "was incomplete"));
	finish(store);
	text = tree_read(tree, "o/journal.jsonl", NULL);
	assert_memory_equal(text, whole, cut - 19);
	assert_int_equal(strncmp(text + cut - 19, "{\"t\":", 5), 0);
	assert_non_null(strstr(text + cut - 19, "\"event\":\"resume\""));
	free(text);

	text = malloc(len + 5);
	memcpy(text, whole, len);
	memcpy(text + len, "zzz\n", 5);
	tree_write(tree, "o/journal.jsonl", text, len + 4);
	store = must_open(tree, "o", &target_a);
	assert_non_null(strstr(store_warning(store, 0), "are invalid"));
	finish(store);
	free(text);
	free(whole);
}

/* Without a journal, but with our lock file: findings are found again. */
static void
test_lost_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store;

	make_campaign(tree, "o");
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	store = must_open(tree, "o", &target_a);
	check_campaign(store);
	assert_non_null(strstr(store_warning(store, 0), "is missing"));
	finish(store);
}

/* ---- refused ------------------------------------------------------------ */

static void
test_refused(void **state)
{
	const struct tree *tree = *state;
	char *before, *after;

	make_campaign(tree, "o");
	before = listing(tree, "o");
	refused(tree, "o", &target_b, E_EXISTS,
		"belongs to another target, /bin/a, not to /bin/b");
	after = listing(tree, "o");
	assert_string_equal(before, after);
	free(before);
	free(after);

	/* The same without the lock file, as in a copy. */
	assert_int_equal(unlinkat(tree->fd, "o/.lock", 0), 0);
	refused(tree, "o", &target_b, E_EXISTS, "belongs to another target");
	assert_false(tree_has(tree, "o/.lock"));

	tree_folder(tree, "home");
	tree_text(tree, "home/letter", "x");
	before = listing(tree, "home");
	refused(tree, "home", &target_a, E_USAGE, "is not empty");
	after = listing(tree, "home");
	assert_string_equal(before, after);
	free(before);
	free(after);

	tree_folder(tree, "open");
	assert_int_equal(fchmodat(tree->fd, "open", 0770, 0), 0);
	refused(tree, "open", &target_a, E_USAGE, "other users may write");
	assert_int_equal(fchmodat(tree->fd, "open", 0702, 0), 0);
	refused(tree, "open", &target_a, E_USAGE, "other users may write");
	assert_int_equal(tree_count(tree, "open"), 0);

	tree_text(tree, "file", "x");
	refused(tree, "file", &target_a, E_USAGE, "-o");
	refused(tree, "file/below", &target_a, E_USAGE, "-o");
	assert_int_equal(symlinkat("nowhere", tree->fd, "link"), 0);
	refused(tree, "link", &target_a, E_USAGE, "-o");
}

static void
test_links_inside(void **state)
{
	const struct tree *tree = *state;
	struct store *store;
	struct error err;

	make_campaign(tree, "o");
	tree_folder(tree, "else");
	assert_int_equal(renameat(tree->fd, "o/hangs", tree->fd, "aside"), 0);
	assert_int_equal(symlinkat("../else", tree->fd, "o/hangs"), 0);
	assert_int_not_equal(try_open(tree, "o", &target_a, &store, &err), OK);
	assert_int_equal(unlinkat(tree->fd, "o/hangs", 0), 0);
	assert_int_equal(renameat(tree->fd, "o/journal.jsonl", tree->fd, "j"),
		0);
	assert_int_equal(symlinkat("../j", tree->fd, "o/journal.jsonl"), 0);
	refused(tree, "o", &target_a, E_USAGE, "not a regular file");
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(mkfifoat(tree->fd, "o/journal.jsonl", 0600), 0);
	refused(tree, "o", &target_a, E_USAGE, "is a FIFO");
	/* A copy by `cp -al`: a write to one would change both. */
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(linkat(tree->fd, "j", tree->fd, "o/journal.jsonl", 0),
		0);
	refused(tree, "o", &target_a, E_USAGE, "another hard link");
	/* The directory itself may be reached by a link. */
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(renameat(tree->fd, "j", tree->fd, "o/journal.jsonl"),
		0);
	assert_int_equal(symlinkat("o", tree->fd, "link"), 0);
	finish(must_open(tree, "link", &target_a));
}

static void
test_two_engines(void **state)
{
	const struct tree *tree = *state;
	struct store *store = must_open(tree, "o", &target_a);
	char words[64];
	pid_t pid;
	int status;

	snprintf(words, sizeof(words),
		"is in use by another engine (process %d)", (int)getpid());
	refused(tree, "o", &target_a, E_BUSY, words);
	refused(tree, "o", &target_b, E_BUSY, words);
	finish(store);
	/* A lock ends with its process, however that ends. */
	pid = fork();
	if (pid == 0) {
		(void)!must_open(tree, "o", &target_a);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	store = must_open(tree, "o", &target_a);
	assert_int_equal(store_past(store)->runs, 2);
	finish(store);
}

/* ---- lack of room, lack of permissions ---------------------------------- */

static void
fill(const struct tree *tree, const char *name)
{
	int fd = open(tree_path(tree, name), O_WRONLY | O_CREAT | O_CLOEXEC,
		0600);
	char block[4096] = { 1 };

	while (write(fd, block, sizeof(block)) > 0)
		continue;
	close(fd);
}

static void
lost_cb(void *arg, const struct writer_file *file)
{
	assert_string_equal(file->folder, "crashes/a");
	assert_string_equal(file->name, "input");
	assert_memory_equal(file->data, "boom", 4);
	(*(unsigned *)arg)++;
}

static void
test_full_disk(void **state)
{
	struct tree *tree = *state;
	char big[65536];
	struct store *store;
	unsigned lost = 0;

	if (!tree_mount(tree, "disk", 2u << 20)) {
		print_message("no right to mount: skipped\n");
		skip();
	}
	fill(tree, "disk/filler");
	refused(tree, "disk/o", &target_a, E_FULL, "disk/o");
	/* Enough room to start, but not for the reserve. */
	assert_int_equal(truncate(tree_path(tree, "disk/filler"), 1800 << 10),
		0);
	store = must_open(tree, "disk/o", &target_a);
	assert_non_null(strstr(store_warning(store, 0), "nearly full"));
	fill(tree, "disk/filler2");
	memset(big, 1, sizeof(big));
	memcpy(big, "boom", 4);
	store_put(store, "crashes/a", "input", big, sizeof(big), NULL, NULL);
	assert_int_equal(store_finish(store, 200, lost_cb, &lost), 1);
	assert_int_equal(lost, 1);
	store_close(store);
	assert_false(tree_has(tree, "disk/o/crashes/a/input"));
}

static void
test_read_only(void **state)
{
	struct tree *tree = *state;

	if (!tree_mount(tree, "disk", 2u << 20)) {
		print_message("no right to mount: skipped\n");
		skip();
	}
	make_campaign(tree, "disk/o");
	assert_int_equal(mount("none", tree_path(tree, "disk"), "tmpfs",
				 MS_REMOUNT | MS_RDONLY, ""),
		0);
	refused(tree, "disk/o", &target_a, E_IO, "Read-only file system");
	refused(tree, "disk/new", &target_a, E_IO, "Read-only file system");
}

/* A slow disk delays only the end, not the start. */
static void
test_slow_disk(void **state)
{
	static const char *const names[] = { "new", "o" }; /* made, resumed */
	const struct tree *tree = *state;
	struct store *store;
	size_t i;

	make_campaign(tree, "o");
	/* The name of a new folder is synced at once. */
	assert_int_equal(mkdir(tree_path(tree, "new"), 0700), 0);
	for (i = 0; i < 2; i++) {
		fault_block_fsync(true);
		store = must_open(tree, names[i], &target_a);
		assert_int_equal(store_finish(store, 50, NULL, NULL), 1);
		fault_block_fsync(false);
		finish(store);
	}
}

/*
 * Each call in turn fails while a campaign is resumed, once or for good. The
 * resume may fail, but the next one finds an unchanged directory.
 */
static void
test_each_call_fails(void **state)
{
	static const int errors[] = { ENOSPC, EIO, EACCES };
	const struct tree *tree = *state;
	struct store *store;
	struct error err;
	enum status status;
	unsigned n, i, opened = 0, refusals = 0;
	const char *warning;

	make_campaign(tree, "o");
	for (i = 0; i < 6; i++)
		for (n = 1; n == 1 || fault_was_hit(); n++) {
			fault_set((int)n, errors[i / 2], i % 2);
			status = try_open(tree, "o", &target_a, &store, &err);
			fault_stop();
			if (status == OK) {
				opened++;
				finish(store);
			} else {
				refusals++;
				assert_int_equal(status, err.code);
				assert_int_not_equal(err.text[0], 0);
			}
			store = must_open(tree, "o", &target_a);
			check_campaign(store);
			assert_non_null(store_past(store)->buckets[0].info);
			assert_non_null(store_past(store)->stats);
			/* With lasting failures half a line may stay. */
			warning = store_warning(store, 0);
			assert_true(!warning ||
				(i % 2 && strstr(warning, "was incomplete")));
			finish(store);
		}
	assert_true(opened > 0 && refusals > 100);
	assert_true(tree_holds(tree, "o/crashes/a/input", "in"));
	assert_true(tree_holds(tree, "o/corpus/ba7816bf8f01cfea", "abc"));
}

/* A replaced entry is removed; a file with another content stays. */
static void
test_remove_entry(void **state)
{
	const struct tree *tree = *state;
	struct store *store;

	make_campaign(tree, "o");
	tree_text(tree, "o/corpus/0123456789abcdef", "of the user");
	store = must_open(tree, "o", &target_a);
	store_remove_entry(store, "0123456789abcdef");
	store_remove_entry(store, "ba7816bf8f01cfea");
	store_remove_entry(store, "fedcba9876543210");
	finish(store);
	assert_true(
		tree_holds(tree, "o/corpus/0123456789abcdef", "of the user"));
	assert_int_equal(tree_count(tree, "o/corpus"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new),
		TEST(test_writes),
		TEST(test_bounds),
		TEST(test_resume),
		TEST(test_damaged),
		TEST(test_torn_journal),
		TEST(test_lost_journal),
		TEST(test_refused),
		TEST(test_links_inside),
		TEST(test_two_engines),
		TEST(test_full_disk),
		TEST(test_read_only),
		TEST(test_slow_disk),
		TEST(test_each_call_fails),
		TEST(test_remove_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
