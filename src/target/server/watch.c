/* watch: see watch.h. */

#include "target/server/watch.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/server/traced.h"

/* A link closes a moment before the death of its process shows. */
#define WATCH_DEATH_MS 500

static void
watch_drain_signals(const struct fork_server *server)
{
	struct signalfd_siginfo infos[8];

	while (read(server->signal_fd, infos, sizeof(infos)) > 0)
		;
}

/* Reaps adopted orphans that have ended. */
void
watch_reap_orphans(const struct fork_server *server)
{
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
			info.si_pid == 0 || info.si_pid == server->pid)
			return;
		(void)waitpid(info.si_pid, NULL, WNOHANG);
	}
}

enum watch_event
watch_look(struct fork_server *server, int *stop_signo)
{
	siginfo_t info = { 0 };

	watch_drain_signals(server);
	if (waitid(P_PID, (id_t)server->pid, &info,
		    WEXITED | WSTOPPED | WNOHANG | WNOWAIT) != 0 ||
		info.si_pid == 0) {
		watch_reap_orphans(server);
		return WATCH_NOTHING;
	}
	if (info.si_code != CLD_STOPPED && info.si_code != CLD_TRAPPED)
		return WATCH_DEATH;
	/* Consumes this stop, so that it is not seen twice. */
	(void)waitid(P_PID, (id_t)server->pid, &info, WSTOPPED | WNOHANG);
	if (traced_go_on(server->pid, info.si_status))
		return WATCH_NOTHING;
	if (worker_is_paused(server->worker))
		return WATCH_NOTHING;
	*stop_signo = info.si_status;
	return WATCH_STOP;
}

/* The link is closed: has the child died, or only closed its end? */
static enum watch_event
watch_closely(struct fork_server *server, int *stop_signo)
{
	struct pollfd pfd = { .fd = server->signal_fd, .events = POLLIN };
	uint64_t until_ns = worker_now_ns() + WATCH_DEATH_MS * 1000000ull;
	enum watch_event event = watch_look(server, stop_signo);

	while (event == WATCH_NOTHING && worker_now_ns() < until_ns) {
		if (poll(&pfd, 1, WATCH_DEATH_MS) <= 0)
			break;
		event = watch_look(server, stop_signo);
	}
	return event == WATCH_NOTHING ? WATCH_LINK_LOST : event;
}

static enum watch_event
watch_read_link(struct fork_server *server, int *stop_signo)
{
	uint8_t bytes[2];
	ssize_t n = recv(server->link_fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return WATCH_NOTHING;
	/* The answer to a byte is its complement. */
	if (n == 1 && (bytes[0] ^ server->token) == UINT8_MAX)
		return WATCH_ANSWER;
	if (n > 0)
		return WATCH_JUNK;
	return watch_closely(server, stop_signo);
}

enum watch_event
watch_wait(struct fork_server *server, int *stop_signo)
{
	enum {
		LINK,
		SIGNAL,
		ENGINE,
		N
	};
	struct pollfd pfds[N] = {
		[LINK] = { .fd = server->link_fd, .events = POLLIN },
		[SIGNAL] = { .fd = server->signal_fd, .events = POLLIN },
		/* No request comes during a call, only the engine's end. */
		[ENGINE] = { .fd = server->worker->in_fd, .events = 0 },
	};
	enum watch_event event = WATCH_NOTHING;

	while (event == WATCH_NOTHING) {
		if (poll(pfds, N, -1) < 0)
			continue;
		if (pfds[ENGINE].revents != 0)
			return WATCH_ENGINE_GONE;
		if (pfds[LINK].revents != 0)
			event = watch_read_link(server, stop_signo);
		if (event == WATCH_NOTHING && pfds[SIGNAL].revents != 0)
			event = watch_look(server, stop_signo);
	}
	return event;
}
