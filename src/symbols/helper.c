#include "symbols/helper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "symbols/resolver.h"

#define HELPER_MEMORY (1ull << 30)
#define HELPER_FILES 64

/* Sanitizers reserve terabytes of address space. */
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
	helper_limit(RLIMIT_CORE, 0);
	helper_limit(RLIMIT_FSIZE, 0);
	helper_limit(RLIMIT_NOFILE, HELPER_FILES);
	/* What is not on this machine is not fetched from elsewhere. */
	unsetenv("DEBUGINFOD_URLS");
}

static bool
helper_receive(struct symbols_request *request)
{
	ssize_t n;

	do
		n = recv(STDIN_FILENO, request, sizeof(*request), 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(*request))
		return false;
	request->id[sizeof(request->id) - 1] = '\0';
	request->path[sizeof(request->path) - 1] = '\0';
	return true;
}

static bool
helper_send(const struct symbols_reply *reply)
{
	size_t len = SYMBOLS_REPLY_LEN(reply->n);
	ssize_t n;

	do
		n = send(STDIN_FILENO, reply, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

static int
helper_serve(void)
{
	struct resolver *resolver = resolver_create();
	struct symbols_request request;
	struct symbols_reply reply = { 0 };

	while (helper_receive(&request)) {
		reply.seq = request.seq;
		reply.n = resolver_find(resolver, request.path, request.id,
			request.offset, reply.symbols, SYMBOL_DEPTH_MAX);
		if (!helper_send(&reply))
			break;
	}
	resolver_destroy(resolver);
	return 0;
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
	*status = helper_serve();
	return true;
}
