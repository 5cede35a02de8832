/*
 * test_writer_callbacks: the writer calls back once for each request: from the
 * event loop or from writer_finish(), or from writer_destroy() if the request
 * is cancelled.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#include "store/writer.h"

#include <poll.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "lib/fault.h"
#include "lib/tree.h"

struct caller {
	struct writer *writer;
	bool calling; /* inside of a call to the writer */
	unsigned called;
	enum status status;
};

static void
caller_cb(void *arg, enum status status)
{
	struct caller *caller = arg;

	assert_false(caller->calling);
	caller->called++;
	caller->status = status;
}

static void
call_add(struct caller *caller, enum writer_kind kind, const char *name,
	size_t len)
{
	caller->calling = true;
	writer_add(caller->writer,
		&(struct writer_file){
			.kind = kind,
			.folder = "f",
			.name = name,
			.data = "text",
			.len = len,
			.done = caller_cb,
			.arg = caller,
		});
	caller->calling = false;
}

static void
call_replace(struct caller *caller, const char *old, const char *name)
{
	caller->calling = true;
	assert_true(writer_replace(caller->writer, old,
		&(struct writer_file){
			.kind = WRITER_ENTRY,
			.folder = "f",
			.name = name,
			.data = "text",
			.len = 4,
			.done = caller_cb,
			.arg = caller,
		}));
	caller->calling = false;
}

static bool
step_none(void *arg)
{
	return false;
}

static void
call_steps(struct caller *caller)
{
	caller->calling = true;
	writer_steps(caller->writer, step_none, caller_cb, caller);
	caller->calling = false;
}

/* The thread has written a file, but the loop has not run. */
static void
wait_for_file(const struct tree *tree, const char *path)
{
	while (!tree_holds(tree, path, "text"))
		poll(NULL, 0, 1);
}

/* No call runs a callback, neither its own nor that of an earlier call. */
static void
test_called_from_loop(void **state)
{
	const struct tree *tree = *state;
	struct caller caller = {
		.writer = writer_create(tree->base, tree->fd, NULL),
	};

	assert_non_null(caller.writer);
	call_add(&caller, WRITER_FINDING, "finding", 4);
	wait_for_file(tree, "f/finding");
	call_add(&caller, WRITER_STATS, "stats", 4);
	wait_for_file(tree, "f/stats");
	call_add(&caller, WRITER_STATS, "stats", 4);
	call_add(&caller, WRITER_STATS, "stats", 4);
	call_add(&caller, WRITER_JOURNAL, "journal", 4);
	wait_for_file(tree, "f/journal");
	call_add(&caller, WRITER_ENTRY, "old", 4);
	call_replace(&caller, "old", "new");
	call_steps(&caller);
	call_add(&caller, WRITER_ENTRY, "refused", WRITER_HELD_MAX + 1);
	assert_int_equal(caller.called, 0);
	tree_wait(tree, &caller.called, 9);
	assert_int_equal(writer_finish(caller.writer, TREE_DISK_MS), 1);
	/* The same after the end. */
	call_add(&caller, WRITER_FINDING, "late", 4);
	call_add(&caller, WRITER_ENTRY, "refused", WRITER_HELD_MAX + 1);
	call_steps(&caller);
	assert_int_equal(caller.called, 9);
	assert_int_equal(writer_finish(caller.writer, TREE_DISK_MS), 2);
	assert_int_equal(caller.called, 12);
	writer_destroy(caller.writer);
}

static void
again_cb(void *arg, enum status status)
{
	struct caller *caller = arg;

	caller->status = status;
	call_add(caller, WRITER_FINDING, "again", 4);
	call_add(caller, WRITER_ENTRY, "refused", WRITER_HELD_MAX + 1);
}

/* A call inside a callback gets its own callback later. */
static void
test_called_from_callback(void **state)
{
	const struct tree *tree = *state;
	struct caller caller = {
		.writer = writer_create(tree->base, tree->fd, NULL),
	};

	assert_non_null(caller.writer);
	writer_add(caller.writer,
		&(struct writer_file){
			.kind = WRITER_ENTRY,
			.folder = "f",
			.name = "refused",
			.len = WRITER_HELD_MAX + 1,
			.done = again_cb,
			.arg = &caller,
		});
	tree_wait(tree, &caller.called, 2);
	assert_true(tree_holds(tree, "f/again", "text"));
	assert_int_equal(writer_finish(caller.writer, TREE_DISK_MS), 2);
	writer_destroy(caller.writer);
}

/* An argument on the heap, which only its callback frees. */
struct request {
	unsigned *called;
	enum status status; /* expected */
};

static void
request_cb(void *arg, enum status status)
{
	struct request *request = arg;

	assert_int_equal(status, request->status);
	++*request->called;
	free(request);
}

static struct request *
request_create(unsigned *called, enum status status)
{
	struct request *request = xmalloc(sizeof(*request));

	*request = (struct request){ .called = called, .status = status };
	return request;
}

static void
request_add(struct writer *writer, enum writer_kind kind, const char *name,
	struct request *take_request)
{
	writer_add(writer,
		&(struct writer_file){
			.kind = kind,
			.folder = "f",
			.name = name,
			.data = "text",
			.len = 4,
			.done = request_cb,
			.arg = take_request,
		});
}

/* Files that the disk refuses until the end are cancelled. */
static void
test_cancelled_when_refused(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writer_create(tree->base, tree->fd, NULL);
	unsigned called = 0;

	/* A folder in place of the files: no file replaces it. */
	tree_folder(tree, "f");
	tree_folder(tree, "f/input");
	tree_folder(tree, "f/stats");
	request_add(writer, WRITER_FINDING, "input",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_FINDING, "crash.json",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_STATS, "stats",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_STATS, "stats",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_ENTRY, "written",
		request_create(&called, OK));
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 3);
	assert_int_equal(called, 1);
	writer_destroy(writer);
	assert_int_equal(called, 5);
}

/* Without writer_finish(), all requests are cancelled. */
static void
test_cancelled_at_once(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writer_create(tree->base, tree->fd, NULL);
	unsigned called = 0;

	request_add(writer, WRITER_FINDING, "input",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_ENTRY, "entry",
		request_create(&called, E_STATE));
	writer_steps(writer, step_none, request_cb,
		request_create(&called, E_STATE));
	writer_add(writer,
		&(struct writer_file){
			.kind = WRITER_ENTRY,
			.folder = "f",
			.name = "refused",
			.len = WRITER_HELD_MAX + 1,
			.done = request_cb,
			.arg = request_create(&called, E_STATE),
		});
	assert_int_equal(called, 0);
	writer_destroy(writer);
	assert_int_equal(called, 4);
}

/* A file that the thread has, and one that still waits for the thread: only the
 * first may still be written. */
static void
test_cancelled_when_hung(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writer_create(tree->base, tree->fd, NULL);
	unsigned called = 0;

	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_go_on(writer);
	fault_block_fsync(true);
	request_add(writer, WRITER_FINDING, "x",
		request_create(&called, E_STATE));
	while (!tree_has(tree, "f"))
		poll(NULL, 0, 1);
	request_add(writer, WRITER_FINDING, "y",
		request_create(&called, E_STATE));
	request_add(writer, WRITER_FINDING, "x",
		request_create(&called, E_STATE));
	assert_int_equal(writer_finish(writer, 200), 3);
	assert_int_equal(called, 0);
	writer_destroy(writer);
	fault_block_fsync(false);
	assert_int_equal(called, 3);
	while (!tree_has(tree, "f/x"))
		poll(NULL, 0, 1);
	assert_false(tree_has(tree, "f/y"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_called_from_loop),
		TEST(test_called_from_callback),
		TEST(test_cancelled_when_refused),
		TEST(test_cancelled_at_once),
		TEST(test_cancelled_when_hung),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
