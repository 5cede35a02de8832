/*
 * engine_double: plays the engine towards one real worker.
 *
 * Makes the memories, starts a target, speaks the RPC and waits with a
 * limit, so that a worker that hangs is a test that fails.
 */
#ifndef CFUZZ_TESTS_ENGINE_DOUBLE_H
#define CFUZZ_TESTS_ENGINE_DOUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/wire/memory.h"
#include "shared/wire/rpc.h"

#define DOUBLE_MAX_LEN 4096u
#define DOUBLE_ARENA_SIZE (64u << 10)
#define DOUBLE_STDERR_SIZE (256u << 10)

struct double_memory {
	int fd;
	uint8_t *map;
	size_t size;
};

struct engine_double {
	pid_t pid;
	int in_fd, out_fd;
	struct double_memory worker, campaign, report, output;
	struct worker_head *head;
	struct campaign_head *campaign_head;
	struct worker_layout layout;
	uint64_t seq;
	struct rpc_request request;
	struct rpc_reply reply;
	uint64_t arena_used;
	int status;   /* of the worker that has ended */
	char tag[64]; /* in the environment of all it starts */
};

/* The path of a test target, or NULL if it is not built. */
const char *double_target(const char *name);

/* Starts the target with these variables (NULL: none) and pings it. */
void double_start(struct engine_double *d, const char *path, char **env);
/* The engine's options for sanitizers, as variables. */
char **double_sanitizers(void);
/* Starts a test target with them; skips the test if it is not built. */
void double_begin(struct engine_double *d, const char *name);
/* The same without the ping; no reply is waited for. */
void double_spawn(struct engine_double *d, const char *path, char **env);
/* Closes fuzz_in, waits for the end of the worker: its wait status. */
int double_stop(struct engine_double *d);
/* Waits for an end that comes by itself. */
int double_wait(struct engine_double *d);

/* Puts a value into the value area. */
void double_set_value(struct engine_double *d, const void *data, size_t len);
/* Puts an entry into the arena; its index. */
uint32_t double_add_entry(struct engine_double *d, const void *data,
	size_t len);

/* Sends d->request and reads the reply. False: the worker is gone. */
bool double_call(struct engine_double *d);
void double_send(struct engine_double *d);
bool double_receive(struct engine_double *d);
/* Writes what is no request. */
void double_write(struct engine_double *d, const void *data, size_t len);

/* Fuzz from a value: `limit` executions. */
bool double_fuzz(struct engine_double *d, const void *data, size_t len,
	uint64_t limit);
/* Once, unchanged. */
bool double_run(struct engine_double *d, const void *data, size_t len);

/* Does the campaign know the modules of a ping or a late list? */
void double_add_modules(struct engine_double *d,
	const struct counter_module *modules, uint32_t n);
/* Merges all finds of the reply into the mask; how many had something new. */
size_t double_merge(struct engine_double *d);

/* A process as the kernel tells of it. */
struct double_process {
	char state;             /* as in /proc/PID/stat; 0: it is gone */
	uint64_t run_ns, waits; /* time on a processor; times that it waited */
	uint64_t pending, blocked; /* signals of the process, bit signo - 1 */
};
struct double_process double_look(pid_t pid);
/* Until that signal was taken and its handler is over. */
void double_wait_signal(pid_t pid, int signo);

/* Processes that live and come from this worker. */
size_t double_count_processes(const struct engine_double *d);

/* May a worker have its link where the tests' targets close nothing? */
bool double_has_high_descriptors(void);

#endif
