/*
 * store_coverage: coverage.jsonl, see engine/coverage_file.h.
 *
 * It may be large and can be made again, so a disk that refuses it must not keep
 * corpus entries waiting: it is a step of the writer, not one of its files.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "store/store_private.h"

struct store_coverage {
	int dirfd;
	void *data;
	size_t len;
	struct error err;
	store_coverage_done_fn *done;
	void *arg;
};

static bool
store_coverage_step(void *arg)
{
	struct store_coverage *c = arg;

	if (file_write_atomic_at(c->dirfd, STORE_COVERAGE, c->data, c->len,
		    FILE_FSYNC, &c->err) != OK)
		error_wrap(&c->err, "the coverage is not kept");
	return false;
}

static void
store_coverage_done(void *arg, enum status status)
{
	struct store_coverage *c = arg;

	if (status != OK)
		error_set(&c->err, status, "the campaign has ended");
	c->done(c->arg, &c->err);
	fd_close(&c->dirfd);
	free(c->data);
	free(c);
}

void
store_write_coverage(struct store *store, void *take_data, size_t len,
	store_coverage_done_fn *done, void *arg)
{
	struct store_coverage *c = xcalloc(1, sizeof(*c));

	/* A copy of its own, because a thread that hangs outlives the store. */
	c->dirfd = fcntl(store->root_fd, F_DUPFD_CLOEXEC, 0);
	c->data = take_data;
	c->len = len;
	c->done = done;
	c->arg = arg;
	store_steps(store, store_coverage_step, store_coverage_done, c);
}

enum status
store_set_aside(struct store *store, const char *name, struct error *err)
{
	return store_move_aside(store, store->root_fd, "", name, err);
}
