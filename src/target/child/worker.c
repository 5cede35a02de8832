/* worker: see worker.h. */

#include "target/child/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "target/crash/sanitizers.h"

#define WORKER_FD_HIGH 1024
#define WORKER_FD_SPAN 64 /* room for raised descriptors */

/* For LLVMFuzzerInitialize(), which takes no argument of ours. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct worker *worker_here;

int
worker_raise_fd(int take_fd)
{
	struct rlimit limit, more;
	int fd = -1, low, why;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		limit = (struct rlimit){ 256, 256 };
	more = limit;
	more.rlim_cur = WORKER_FD_HIGH + WORKER_FD_SPAN;
	/* A descriptor stays valid when the limit is lowered again. */
	if (limit.rlim_cur < more.rlim_cur && limit.rlim_max >= more.rlim_cur)
		(void)setrlimit(RLIMIT_NOFILE, &more);
	for (low = WORKER_FD_HIGH; fd < 0 && low >= 8; low /= 2)
		fd = fcntl(take_fd, F_DUPFD_CLOEXEC, low);
	why = errno;
	if (limit.rlim_cur < more.rlim_cur)
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	close(take_fd);
	errno = why;
	return fd;
}

uint64_t
worker_now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *
worker_map(int take_fd, int protection, size_t *size)
{
	struct stat st;
	void *map = MAP_FAILED;

	if (fstat(take_fd, &st) == 0 && st.st_size > 0) {
		*size = (size_t)st.st_size;
		map = mmap(NULL, *size, protection, MAP_SHARED, take_fd, 0);
	}
	close(take_fd);
	return map == MAP_FAILED ? NULL : map;
}

/* Checks the sizes of both memories against the campaign's head. */
static enum status
worker_check(struct worker *w, size_t memory_size, size_t campaign_size,
	struct error *err)
{
	const struct campaign_head *c = w->campaign;

	if (campaign_size < sizeof(*c) || c->size > campaign_size)
		return error_set(err, E_PROTOCOL,
			"campaign memory is smaller than its head says");
	if (c->version != WIRE_VERSION)
		return error_set(err, E_PROTOCOL,
			"this target speaks version %u, the engine version %u; "
			"build it again with cfuzz-cc",
			WIRE_VERSION, c->version);
	if (c->max_len == 0 || c->max_len > (1u << 30) ||
		c->coverage_offset + MEMORY_COUNTERS_MAX > c->size ||
		c->entries_offset +
				c->entries_max * sizeof(struct campaign_entry) >
			c->size)
		return error_set(err, E_PROTOCOL,
			"campaign memory does not make sense");
	worker_layout_init(&w->layout, c->max_len);
	if (memory_size < w->layout.size)
		return error_set(err, E_PROTOCOL, "worker memory is too small");
	w->slot = w->head->slot;
	if (w->slot >= MEMORY_WORKERS_MAX)
		return error_set(err, E_PROTOCOL, "no worker has number %u",
			w->slot);
	return OK;
}

/* A copy of fd 2 if it is the engine's memfd, not a terminal or file: no other
 * file in memory has that seal. */
static int
worker_stderr(void)
{
	int seals = fcntl(STDERR_FILENO, F_GET_SEALS), fd;

	if (seals < 0 || (seals & F_SEAL_GROW) == 0)
		return -1;
	fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -1 : worker_raise_fd(fd);
}

enum status
worker_open(struct worker *w, int base, struct error *err)
{
	size_t memory_size = 0, campaign_size = 0;

	*w = (struct worker){ .target = LLVMFuzzerTestOneInput,
		.kind = "function" };
	worker_here = w;
	w->in_fd = worker_raise_fd(base + WORKER_FD_IN);
	w->out_fd = worker_raise_fd(base + WORKER_FD_OUT);
	w->report_fd = worker_raise_fd(base + WORKER_FD_REPORT);
	w->stderr_fd = worker_stderr();
	w->memory_fd = fcntl(base + WORKER_FD_MEMORY, F_DUPFD_CLOEXEC, 3);
	w->memory_fd = worker_raise_fd(w->memory_fd);
	w->memory = worker_map(base + WORKER_FD_MEMORY, PROT_READ | PROT_WRITE,
		&memory_size);
	w->campaign = worker_map(base + WORKER_FD_CAMPAIGN, PROT_READ,
		&campaign_size);
	if (w->in_fd < 0 || w->out_fd < 0 || w->report_fd < 0 ||
		w->memory == NULL || w->campaign == NULL)
		return error_set(err, E_PROTOCOL,
			WORKER_ENVIRONMENT
			" does not name the descriptors of a worker");
	if (memory_size < sizeof(struct worker_head))
		return error_set(err, E_PROTOCOL, "worker memory is too small");
	w->head = (struct worker_head *)(void *)w->memory;
	return worker_check(w, memory_size, campaign_size, err);
}

void
worker_rewind_output(const struct worker *w)
{
	(void)lseek(w->report_fd, 0, SEEK_SET);
	if (w->stderr_fd >= 0)
		(void)lseek(w->stderr_fd, 0, SEEK_SET);
}

void
worker_close_memory(struct worker *w)
{
	if (w->foreign != NULL)
		return;
	(void)close(w->memory_fd);
	w->memory_fd = -1;
}

void
worker_die(int signo)
{
	sigset_t only;

	(void)signal(signo, SIG_DFL);
	(void)sigemptyset(&only);
	(void)sigaddset(&only, signo);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	(void)kill(getpid(), signo);
	_exit(128 + signo);
}

struct worker *
worker_opened(void)
{
	return worker_here;
}

bool
worker_is_paused(const struct worker *w)
{
	return __atomic_load_n(&w->campaign->slots[w->slot].paused,
		       __ATOMIC_ACQUIRE) != 0;
}

void
worker_count_threads(struct worker *w)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	int32_t n = 0;

	if (dir != NULL) {
		while ((entry = readdir(dir)) != NULL)
			n += entry->d_name[0] != '.';
		(void)closedir(dir);
		n -= sanitizers_threads();
	}
	w->threads = n > 0 ? n : 1;
	/* A process for each input lacks the threads in any case. */
	w->no_fork = w->threads > 1 && w->on_child == NULL;
}
