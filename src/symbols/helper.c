#include "symbols/helper.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/harden.h"
#include "base/xmalloc.h"
#include "symbols/excerpt.h"
#include "symbols/resolver.h"
#include "symbols/source_reader.h"

#define HELPER_MEMORY (1ull << 30)
#define HELPER_STACK (8u << 20)
#define HELPER_FILES 64

/* A sanitizer reserves terabytes of address space. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HELPER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define HELPER_SANITIZED 1
#endif
#endif
#ifndef HELPER_SANITIZED
#define HELPER_SANITIZED 0
#endif

static void
helper_limit(int what, rlim_t most)
{
	const struct rlimit limit = { most, most };

	(void)setrlimit(what, &limit);
}

static void
helper_harden(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)prctl(PR_SET_NAME, "cfuzz-symbols", 0, 0, 0);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!HELPER_SANITIZED)
		helper_limit(RLIMIT_AS, HELPER_MEMORY);
	harden_process();
	helper_limit(RLIMIT_FSIZE, 0);
	helper_limit(RLIMIT_NOFILE, HELPER_FILES);
	/* Never fetch debug information from a network server. */
	unsetenv("DEBUGINFOD_URLS");
}

/* A request; its size tells the type. */
union helper_question {
	struct symbols_request symbols;
	struct source_request source;
};
_Static_assert(sizeof(struct symbols_request) != sizeof(struct source_request),
	"questions are told apart by their sizes");

/* The descriptor passed with the message, or -1. */
static int
helper_take_fd(struct msghdr *message)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (control != NULL && control->cmsg_level == SOL_SOCKET &&
		control->cmsg_type == SCM_RIGHTS &&
		control->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(control), sizeof(fd));
	return fd;
}

static ssize_t
helper_receive(union helper_question *question, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec iov = { question, sizeof(*question) };
	struct msghdr message = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	ssize_t n;

	do
		n = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*fd = n > 0 ? helper_take_fd(&message) : -1;
	return n;
}

static bool
helper_send(const void *data, size_t len)
{
	ssize_t n;

	do
		n = send(STDIN_FILENO, data, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

static bool
helper_name(struct resolver *resolver, struct symbols_request *request)
{
	struct symbols_reply reply = { .seq = request->seq,
		.blind = resolver_is_blind(resolver) };
	const struct symbol *s;

	request->id[sizeof(request->id) - 1] = '\0';
	request->path[sizeof(request->path) - 1] = '\0';
	reply.n = resolver_find(resolver, request->path, request->id,
		request->offset, reply.symbols, SYMBOL_DEPTH_MAX);
	if (request->source > 0 && request->source <= reply.n) {
		s = &reply.symbols[request->source - 1];
		reply.lines_n = excerpt_read(s->path, s->line, reply.lines);
	}
	return helper_send(&reply, SYMBOLS_REPLY_LEN(reply.n));
}

/* ---- tables ---- */

static bool
helper_send_items(const struct source_table *table, enum source_kind kind)
{
	const size_t size = source_item_size(kind);
	uint32_t n;
	const char *items = source_items(table, kind, &n);
	struct source_packet head = { .kind = kind };
	char *packet = xmalloc(SOURCE_PACKET_MAX);
	const uint32_t most =
		(uint32_t)((SOURCE_PACKET_MAX - sizeof(head)) / size);
	bool sent = true;

	for (uint32_t i = 0; i < n && sent; i += head.n) {
		head.n = n - i < most ? n - i : most;
		memcpy(packet, &head, sizeof(head));
		memcpy(packet + sizeof(head), items + i * size, head.n * size);
		sent = helper_send(packet, sizeof(head) + head.n * size);
	}
	free(packet);
	return sent;
}

static bool
helper_read_pcs(int fd, uint64_t *pcs, size_t size)
{
	size_t at = 0;
	ssize_t n;

	while (at < size) {
		n = pread(fd, (char *)pcs + at, size - at, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

static bool
helper_tabulate(struct source_request *request, int fd)
{
	struct source_table t = { 0 };
	uint64_t *pcs;
	bool sent;

	request->id[sizeof(request->id) - 1] = '\0';
	request->path[sizeof(request->path) - 1] = '\0';
	if (fd < 0 || request->n > SOURCE_COUNTERS_MAX)
		return false;
	pcs = xcalloc(request->n, sizeof(*pcs));
	sent = helper_read_pcs(fd, pcs, request->n * sizeof(*pcs));
	if (sent) {
		source_read(&t, request->path, request->id, pcs, request->n);
		for (unsigned kind = 0; sent && kind < SOURCE_KIND_COUNT;
			kind++)
			sent = helper_send_items(&t, (enum source_kind)kind);
	}
	source_table_clear(&t);
	free(pcs);
	return sent;
}

static int
helper_serve(void)
{
	struct resolver *resolver = resolver_create();
	union helper_question question;
	bool go_on = true;
	ssize_t n;
	int fd;

	while (go_on) {
		n = helper_receive(&question, &fd);
		if (n == (ssize_t)sizeof(question.symbols))
			go_on = helper_name(resolver, &question.symbols);
		else if (n == (ssize_t)sizeof(question.source))
			go_on = helper_tabulate(&question.source, fd);
		else
			go_on = false;
		fd_close(&fd);
	}
	resolver_destroy(resolver);
	return 0;
}

static void *
helper_main(void *arg)
{
	*(int *)arg = helper_serve();
	return NULL;
}

/*
 * The debug information libraries recurse deeply, and `ulimit -s` may be small.
 * They run on a stack allocated here.
 */
static int
helper_run(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int status = 2, e = pthread_attr_init(&attr);

	if (e == 0) {
		e = pthread_attr_setstacksize(&attr, HELPER_STACK);
		if (e == 0)
			e = pthread_create(&thread, &attr, helper_main,
				&status);
		pthread_attr_destroy(&attr);
	}
	if (e != 0)
		return helper_serve();
	pthread_join(thread, NULL);
	return status;
}

bool
symbols_helper_main(int argc, char **argv, int *status)
{
	int type = 0;
	socklen_t len = sizeof(type);

	if (argc != 2 || strcmp(argv[1], SYMBOLS_HELPER_OPTION) != 0)
		return false;
	*status = 2;
	if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &len) != 0 ||
		type != SOCK_SEQPACKET) {
		(void)fprintf(stderr,
			"%s: %s is how cfuzz starts itself, not for use by "
			"hand\n",
			argv[0], SYMBOLS_HELPER_OPTION);
		return true;
	}
	helper_harden();
	*status = helper_run();
	return true;
}
