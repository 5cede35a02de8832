/*
 * replay: see replay.h. Files run in the same guarded buffer as in a worker, so
 * that they fail in the same way.
 */

#include "target/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/campaign_folder.h"
#include "shared/pages.h"
#include "shared/values/call.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"
#include "shared/values/tuple.h"
#include "target/child/custom.h"
#include "target/child/seeds.h"
#include "target/child/typed.h"
#include "target/child/worker.h"
#include "target/crash/guard.h"
#include "target/crash/sanitizers.h"

#define REPLAY_SIZE_MAX (1u << 30)
#define REPLAY_PATH_MAX 4096

static const char REPLAY_USAGE[] =
	"This program is a fuzz target made with cfuzz.\n"
	"\n"
	"  %s FILE...            run it on files (or folders of files)\n"
	"  cfuzz-tui %s          fuzz it, and watch\n"
	"  cfuzz run %s          fuzz it without a screen\n";

struct replay {
	target_function *target;
	struct guard guard; /* one for all files, as in a worker */
	uint64_t files, failed, ns;
	uint64_t folders; /* skipped in the present folder */
	bool unreadable;  /* a file could not be read */
};

static double
replay_ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void
replay_complain(struct replay *r, const char *path, const char *why)
{
	(void)fflush(stdout); /* the results before it, if both are one log */
	(void)fprintf(stderr, "cfuzz: %s cannot be read: %s\n", path, why);
	r->unreadable = true;
}

static void __attribute__((noreturn)) replay_lack_memory(size_t len)
{
	(void)fprintf(stderr, "cfuzz: no memory for %zu bytes\n", len);
	exit(2);
}

static uint8_t *
replay_guard(struct replay *r, const uint8_t *value, size_t len)
{
	if (r->guard.start == NULL || len > r->guard.size) {
		guard_clear(&r->guard);
		if (!guard_init(&r->guard, len))
			replay_lack_memory(len);
	}
	return guard_put(&r->guard, value, len);
}

/* Runs the target on a guarded copy. True: the target left it unchanged. */
static bool
replay_execute(struct replay *r, const uint8_t *value, size_t len, int *result,
	uint64_t *ns)
{
	uint8_t *data = replay_guard(r, value, len);
	uint64_t start;

	sanitizers_input(data, len);
	sanitizers_show();
	start = worker_now_ns();
	*result = r->target(data, len);
	*ns = worker_now_ns() - start;
	sanitizers_hide();
	return memcmp(data, value, len) == 0;
}

/* size: bytes in the file; value: the target's input, other bytes than those of
 * the file if that is a text of values. */
static void
replay_run_bytes(struct replay *r, const char *path, size_t size,
	const uint8_t *value, size_t len)
{
	uint64_t ns;
	int result;

	/* Printed before the run, because the target may crash. */
	(void)printf("%s: %zu bytes", path, size);
	if (typed_types()->n == 0 && len != size)
		(void)printf(" (" ENCODE_VERSION ": %zu bytes)", len);
	(void)printf(", ");
	(void)fflush(stdout);
	if (!replay_execute(r, value, len, &result, &ns)) {
		(void)printf("the target changed its input\n");
		r->failed++;
	} else {
		(void)printf("returned %d in %.1f ms\n", result, replay_ms(ns));
	}
	r->files++;
	r->ns += ns;
}

static void *
replay_take(size_t len)
{
	void *room = malloc(len + 1);

	if (room == NULL)
		replay_lack_memory(len);
	return room;
}

/* Prints the call, for use in a test without the fuzzer. */
static void
replay_print_call(const struct value *values, size_t n)
{
	struct sink sink = { .data = NULL };
	char *text;

	call_print(&sink, typed_name(), values, n);
	text = replay_take(sink.len);
	sink = (struct sink){ .data = text, .cap = sink.len };
	call_print(&sink, typed_name(), values, n);
	(void)fwrite(text, 1, sink.len, stdout);
	(void)putchar('\n');
	free(text);
}

static void
replay_run_values(struct replay *r, const char *path, size_t size,
	const struct value *values, size_t n)
{
	size_t len = tuple_size(values, n);
	uint8_t *tuple = replay_take(len);

	tuple_pack(values, n, tuple);
	if (!typed_reserve(len))
		replay_lack_memory(len);
	replay_print_call(values, n);
	replay_run_bytes(r, path, size, tuple, len);
	free(tuple);
}

static void
replay_run_text(struct replay *r, const char *path, const char *text,
	size_t len)
{
	static const struct tuple_types plain = { .n = 1,
		.types = { VALUE_BYTES } };
	bool is_typed = typed_types()->n > 0;
	const struct tuple_types *types = is_typed ? typed_types() : &plain;
	struct value values[TUPLE_MAX];
	struct error err = { .code = OK };
	uint8_t *room = replay_take(len);
	size_t n;

	if (decode_values(text, len, values, TUPLE_MAX, &n, room, &err) != OK ||
		values_check(values, n, types->types, types->n, &err) != OK)
		replay_complain(r, path, err.text);
	else if (is_typed)
		replay_run_values(r, path, len, values, n);
	else
		replay_run_bytes(r, path, len, values[0].data, values[0].len);
	free(room);
}

/* Inputs of a typed target are stored as text. For a target of plain bytes, as
 * for --seeds, a file from elsewhere may be text, too. */
static bool
replay_is_text(const char *path, const uint8_t *value, size_t len)
{
	char *folder;
	bool is_own;

	if (typed_types()->n > 0)
		return true;
	if (!decode_is_text(value, len))
		return false;
	folder = campaign_folder_of(path);
	is_own = folder != NULL;
	free(folder);
	return !is_own;
}

static void
replay_run_content(struct replay *r, const char *path, const uint8_t *value,
	size_t len)
{
	if (replay_is_text(path, value, len))
		replay_run_text(r, path, (const char *)value, len);
	else
		replay_run_bytes(r, path, len, value, len);
}

static void
replay_run_file(struct replay *r, const char *path, int take_fd, size_t len)
{
	uint8_t *value = pages_map(len + 1);
	size_t have = 0;
	ssize_t n = 1;

	while (value != NULL && have < len && n > 0) {
		n = read(take_fd, value + have, len - have);
		if (n > 0)
			have += (size_t)n;
	}
	close(take_fd);
	if (value == NULL || n < 0)
		replay_complain(r, path, strerror(errno));
	else
		replay_run_content(r, path, value, have);
	if (value != NULL)
		munmap(value, len + 1);
}

static void replay_run_folder(struct replay *r, const char *path);

static void
replay_run_path(struct replay *r, const char *path, bool follow)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) != 0) {
		replay_complain(r, path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	if (S_ISREG(st.st_mode) && st.st_size <= REPLAY_SIZE_MAX) {
		replay_run_file(r, path, fd, (size_t)st.st_size);
		return;
	}
	close(fd);
	if (S_ISREG(st.st_mode))
		replay_complain(r, path, "it is larger than 1 GiB");
	else if (S_ISDIR(st.st_mode) && follow)
		replay_run_folder(r, path);
	else if (S_ISDIR(st.st_mode))
		r->folders++;
	else
		replay_complain(r, path, "it is neither a file nor a folder");
}

static int
replay_is_inside(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 &&
		strcmp(entry->d_name, "..") != 0;
}

static void
replay_say_folders(const struct replay *r, const char *path)
{
	bool one = r->folders == 1;

	if (r->folders == 0)
		return;
	(void)fflush(stdout);
	(void)fprintf(stderr,
		"cfuzz: %llu folder%s in %s %s skipped: name %s as well\n",
		(unsigned long long)r->folders, one ? "" : "s", path,
		one ? "is" : "are", one ? "it" : "them");
}

/* Runs one level of the folder, sorted by name. */
static void
replay_run_folder(struct replay *r, const char *path)
{
	struct dirent **entries;
	char name[REPLAY_PATH_MAX];
	int n = scandir(path, &entries, replay_is_inside, alphasort);

	if (n < 0) {
		replay_complain(r, path, strerror(errno));
		return;
	}
	r->folders = 0;
	for (int i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "%s/%s", path,
			entries[i]->d_name);
		replay_run_path(r, name, false);
		free(entries[i]);
	}
	free(entries);
	replay_say_folders(r, path);
}

static int
replay_usage(const char *name)
{
	(void)fprintf(stderr, REPLAY_USAGE, name, name, name);
	return 2;
}

static int
replay_summary(const struct replay *r)
{
	if (r->files > 1)
		(void)printf("%llu files in %.1f ms%s\n",
			(unsigned long long)r->files, replay_ms(r->ns),
			r->failed == 0 ? ", all returned" : "");
	if (r->files == 0 && !r->unreadable)
		(void)fprintf(stderr, "cfuzz: no file was run\n");
	if (r->unreadable || r->files == 0)
		return 2;
	return r->failed > 0 ? 1 : 0;
}

/* Prints an error if it fails. */
static bool
replay_initialise(int *argc, char ***argv)
{
	struct error err = { .code = OK };

	if (LLVMFuzzerInitialize != NULL &&
		LLVMFuzzerInitialize(argc, argv) != 0)
		(void)error_set(&err, E_TARGET,
			"LLVMFuzzerInitialize() did not return 0");
	else if (seeds_close(typed_types(), &err) == OK)
		return true;
	(void)fprintf(stderr, "cfuzz: %s\n", err.text);
	return false;
}

int
replay_run(target_function *target, int *argc, char ***argv)
{
	struct replay replay = { .target = target };
	bool options = true, any = false;
	char **args;

	if (target == NULL) {
		(void)fprintf(stderr,
			"cfuzz: LLVMFuzzerRunDriver() has nothing to call\n");
		return 2;
	}
	if (!replay_initialise(argc, argv))
		return 2;
	if (custom_is_unused())
		(void)fprintf(stderr,
			"cfuzz: mutators of one's own are not used with "
			"CFUZZ_TARGET()\n");
	sanitizers_hide();
	args = *argv;
	for (int i = 1; i < *argc; i++) {
		if (options && strcmp(args[i], "--") == 0) {
			options = false;
		} else if (options && args[i][0] == '-' && args[i][1] != '\0') {
			(void)fprintf(stderr,
				"cfuzz: option %s is ignored; to fuzz, use "
				"cfuzz run\n",
				args[i]);
		} else {
			replay_run_path(&replay, args[i], true);
			any = true;
		}
	}
	if (!any)
		return replay_usage(*argc > 0 ? args[0] : "TARGET");
	return replay_summary(&replay);
}
