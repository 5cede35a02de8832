/* engine_double: see engine_double.h. */

#include "lib/engine_double.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DOUBLE_WAIT_MS 240000 /* of what hangs */
#define DOUBLE_FILES_MIN (1024 + 64)
#define DOUBLE_ENTRIES_MAX 64u

static void
memory_create(struct double_memory *m, size_t size, bool read_only)
{
	int seals = F_SEAL_SHRINK | F_SEAL_GROW;

	m->size = size;
	m->fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_true(m->fd >= 0);
	assert_int_equal(ftruncate(m->fd, (off_t)size), 0);
	m->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	assert_ptr_not_equal(m->map, MAP_FAILED);
	if (read_only)
		seals |= F_SEAL_FUTURE_WRITE;
	assert_int_equal(fcntl(m->fd, F_ADD_SEALS, seals | F_SEAL_SEAL), 0);
}

static void
memory_clear(struct double_memory *m)
{
	munmap(m->map, m->size);
	close(m->fd);
}

static void
campaign_create(struct engine_double *d)
{
	size_t map = (sizeof(struct campaign_head) + 4095) & ~(size_t)4095;
	size_t entries = map + MEMORY_COUNTERS_MAX;
	size_t arena = entries + 4096;

	memory_create(&d->campaign, arena + DOUBLE_ARENA_SIZE, true);
	d->campaign_head = (void *)d->campaign.map;
	*d->campaign_head = (struct campaign_head){
		.version = WIRE_VERSION,
		.max_len = DOUBLE_MAX_LEN,
		.size = d->campaign.size,
		.coverage_offset = map,
		.entries_offset = entries,
		.entries_max = DOUBLE_ENTRIES_MAX,
		.arena_offset = arena,
		.arena_size = DOUBLE_ARENA_SIZE,
	};
}

const char *
double_target(const char *name)
{
	static char path[4096];
	const char *build = getenv("CFUZZ_BUILD");

	snprintf(path, sizeof(path), "%s/targets/%s", build ? build : "build",
		name);
	return access(path, X_OK) == 0 ? path : NULL;
}

/* Above what the worker's own numbers are copied to. */
static int
double_high_fd(int take_fd)
{
	int fd = fcntl(take_fd, F_DUPFD_CLOEXEC, 3 + WORKER_FD_COUNT);

	close(take_fd);
	assert_true(fd >= 0);
	return fd;
}

void
double_spawn(struct engine_double *d, const char *path, char **env)
{
	char *argv[] = { (char *)(uintptr_t)path, NULL };
	char *variables[16] = { (char *)(uintptr_t) "CFUZZ_WORKER=3",
		(char *)(uintptr_t) "PATH=/bin:/usr/bin", d->tag };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int in[2], out[2], fds[WORKER_FD_COUNT];
	static unsigned started;

	for (size_t n = 3; env && *env && n < 15; n++)
		variables[n] = *env++;
	memset(d, 0, sizeof(*d));
	snprintf(d->tag, sizeof(d->tag), "CFUZZ_TEST=%d-%u", (int)getpid(),
		++started);
	worker_layout_init(&d->layout, DOUBLE_MAX_LEN);
	memory_create(&d->worker, d->layout.size, false);
	memory_create(&d->report, DOUBLE_STDERR_SIZE, false);
	memory_create(&d->output, DOUBLE_STDERR_SIZE, false);
	campaign_create(d);
	d->head = (void *)d->worker.map;
	d->head->slot = 5;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	in[0] = double_high_fd(in[0]);
	out[1] = double_high_fd(out[1]);
	fds[WORKER_FD_IN] = in[0];
	fds[WORKER_FD_OUT] = out[1];
	fds[WORKER_FD_MEMORY] = d->worker.fd = double_high_fd(d->worker.fd);
	fds[WORKER_FD_CAMPAIGN] = d->campaign.fd =
		double_high_fd(d->campaign.fd);
	fds[WORKER_FD_REPORT] = d->report.fd = double_high_fd(d->report.fd);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, d->output.fd, 2);
	for (int i = 0; i < WORKER_FD_COUNT; i++)
		posix_spawn_file_actions_adddup2(&actions, fds[i], 3 + i);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
	assert_int_equal(posix_spawn(&d->pid, path, &actions, &attributes, argv,
				 variables),
		0);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	close(in[0]);
	close(out[1]);
	d->in_fd = in[1];
	d->out_fd = out[0];
}

void
double_start(struct engine_double *d, const char *path, char **env)
{
	double_spawn(d, path, env);
	d->request = (struct rpc_request){ .kind = RPC_PING };
	if (!double_call(d)) {
		fprintf(stderr, "worker: %.*s\n", 1000, d->output.map);
		fail_msg("%s does not answer", path);
	}
	assert_int_equal(d->reply.version, WIRE_VERSION);
	double_add_modules(d, d->reply.modules, d->reply.modules_n);
}

int
double_wait(struct engine_double *d)
{
	struct timespec nap = { .tv_nsec = 2000000 };

	for (int i = 0; i < DOUBLE_WAIT_MS / 2; i++) {
		if (waitpid(d->pid, &d->status, WNOHANG) == d->pid)
			goto out;
		nanosleep(&nap, NULL);
	}
	kill(-d->pid, SIGKILL);
	kill(d->pid, SIGKILL);
	waitpid(d->pid, &d->status, 0);
	fail_msg("the worker did not end");
out:
	if (d->in_fd >= 0)
		close(d->in_fd);
	close(d->out_fd);
	memory_clear(&d->worker);
	memory_clear(&d->campaign);
	memory_clear(&d->report);
	memory_clear(&d->output);
	return d->status;
}

int
double_stop(struct engine_double *d)
{
	close(d->in_fd);
	d->in_fd = -1;
	return double_wait(d);
}

void
double_set_value(struct engine_double *d, const void *data, size_t len)
{
	memcpy(d->worker.map + d->layout.value_offset, data, len);
	d->head->value_len = len;
}

uint32_t
double_add_entry(struct engine_double *d, const void *data, size_t len)
{
	struct campaign_head *c = d->campaign_head;
	struct campaign_entry *entries =
		(void *)(d->campaign.map + c->entries_offset);
	uint32_t index = c->entries_n;

	entries[index].offset = c->arena_offset + d->arena_used;
	entries[index].len = (uint32_t)len;
	memcpy(d->campaign.map + entries[index].offset, data, len);
	d->arena_used += len;
	__atomic_store_n(&c->entries_n, index + 1, __ATOMIC_RELEASE);
	return index;
}

void
double_write(struct engine_double *d, const void *data, size_t len)
{
	ssize_t n = write(d->in_fd, data, len);

	/* A worker may be gone already: its end says why. */
	assert_true(n == (ssize_t)len || (n < 0 && errno == EPIPE));
}

void
double_send(struct engine_double *d)
{
	char line[RPC_LINE_MAX];
	struct error err = { .code = OK };
	size_t len;

	d->request.seq = ++d->seq;
	d->request.nonce = d->seq * 0x9e3779b97f4a7c15u;
	d->head->rand_state = d->seq;
	d->head->rand_inc = 1;
	__atomic_store_n(&d->head->count, 0, __ATOMIC_RELAXED);
	assert_int_equal(rpc_encode_request(&d->request, line, sizeof(line),
				 &len, &err),
		OK);
	double_write(d, line, len);
}

bool
double_receive(struct engine_double *d)
{
	static char line[RPC_LINE_MAX];
	struct pollfd pfd = { .fd = d->out_fd, .events = POLLIN };
	struct error err = { .code = OK };
	size_t len = 0;
	ssize_t n;

	do {
		if (poll(&pfd, 1, DOUBLE_WAIT_MS) <= 0)
			fail_msg("the worker does not answer");
		n = read(d->out_fd, line + len, sizeof(line) - len);
		if (n <= 0)
			return false;
		len += (size_t)n;
	} while (line[len - 1] != '\n');
	if (rpc_decode_reply(line, len - 1, d->request.kind, &d->reply, &err) !=
		OK)
		fail_msg("%s", err.text);
	assert_true(d->reply.seq == d->request.seq);
	assert_true(d->reply.nonce == d->request.nonce);
	return true;
}

bool
double_call(struct engine_double *d)
{
	double_send(d);
	return double_receive(d);
}

bool
double_fuzz(struct engine_double *d, const void *data, size_t len,
	uint64_t limit)
{
	double_set_value(d, data, len);
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.limit = limit,
		.parent = MEMORY_NO_ENTRY,
		.cap = DOUBLE_MAX_LEN,
		.stack_max = 5,
		.confirm = true };
	return double_call(d);
}

bool
double_run(struct engine_double *d, const void *data, size_t len)
{
	double_set_value(d, data, len);
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.parent = MEMORY_NO_ENTRY };
	return double_call(d);
}

void
double_add_modules(struct engine_double *d,
	const struct counter_module *modules, uint32_t n)
{
	struct campaign_head *c = d->campaign_head;

	for (uint32_t i = 0; i < n; i++) {
		struct counter_module *to = &c->modules[c->modules_n];

		*to = modules[i];
		to->base = c->counters;
		c->counters += modules[i].n;
		__atomic_store_n(&c->modules_n, c->modules_n + 1,
			__ATOMIC_RELEASE);
	}
}

size_t
double_merge(struct engine_double *d)
{
	const uint8_t *ring = d->worker.map + d->layout.ring_offset;
	uint8_t *map = d->campaign.map + d->campaign_head->coverage_offset;
	size_t offset = 0, n = 0, fresh = 0;
	struct ring_input find;
	bool damaged;

	while (ring_next(ring, d->reply.ring_used, &offset, DOUBLE_MAX_LEN,
		&find, &damaged)) {
		for (uint32_t i = 0; i < find.record.features_n; i++) {
			assert_true(find.features[i].counter <
				d->campaign_head->counters);
			map[find.features[i].counter] |=
				(uint8_t)find.features[i].buckets;
		}
		fresh += find.record.features_n > 0;
		n++;
	}
	assert_false(damaged);
	assert_int_equal(n, d->reply.finds);
	return fresh;
}

/* Does the environment that a process was started with hold this? */
static bool
double_is_tagged(const char *pid, const char *tag)
{
	char path[300], text[4096];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text));
	close(fd);
	return len > 0 && memmem(text, (size_t)len, tag, strlen(tag) + 1);
}

size_t
double_count_processes(const struct engine_double *d)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		n += entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
			double_is_tagged(entry->d_name, d->tag);
	closedir(dir);
	return n;
}

/* A file of a process as text; false: it is gone. */
static bool
double_read(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, size - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

static uint64_t
double_field(const char *text, const char *name, int base)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtoull(at + strlen(name), NULL, base);
}

struct double_process
double_look(pid_t pid)
{
	struct double_process p = { 0 };
	char text[4096];

	if (!double_read(pid, "schedstat", text, sizeof(text)))
		return p;
	p.run_ns = strtoull(text, NULL, 10);
	if (!double_read(pid, "status", text, sizeof(text)))
		return p;
	p.waits = double_field(text, "\nvoluntary_ctxt_switches:", 10);
	p.pending = double_field(text, "\nShdPnd:", 16);
	p.blocked = double_field(text, "\nSigBlk:", 16);
	p.state = *(strstr(text, "\nState:\t") + 8);
	return p;
}

void
double_wait_signal(pid_t pid, int signo)
{
	const uint64_t bit = UINT64_C(1) << (signo - 1);
	struct double_process p;

	do {
		usleep(1000);
		p = double_look(pid);
	} while ((p.pending | p.blocked) & bit);
}

bool
double_has_high_descriptors(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
		limit.rlim_max >= DOUBLE_FILES_MIN;
}

char **
double_sanitizers(void)
{
	static char *env[] = {
		(char *)(uintptr_t) "ASAN_OPTIONS=abort_on_error=1:symbolize=0:"
				    "handle_abort=0:detect_leaks=0",
		(char *)(uintptr_t) "UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:"
				    "symbolize=0:print_stacktrace=1",
		(char *)(uintptr_t) "MSAN_OPTIONS=abort_on_error=1:symbolize=0",
		(char *)(uintptr_t) "TSAN_OPTIONS=abort_on_error=1:halt_on_error=1:"
				    "symbolize=0",
		NULL,
	};

	return env;
}

void
double_begin(struct engine_double *d, const char *name)
{
	const char *path = double_target(name);

	if (!path)
		skip();
	double_start(d, path, double_sanitizers());
}
