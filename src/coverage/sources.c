/* sources: see sources.h. */
#include "coverage/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "symbols/helper_process.h"

#define SOURCES_SILENCE_MS 30000
#define SOURCES_REAP_MS 50
#define SOURCES_TRIES 2
#define SOURCES_BATCH 16 /* packets per turn of the loop, between keys */
#define SOURCES_WHY 128

struct sources {
	struct sources_config config;
	struct symbols_process process;
	struct event *read_event, *start_event, *late_event, *reap_event;
	bool asked;
	unsigned tries;
	struct source_request request;
	int pcs_fd; /* a memory file */
	struct source_table table;
	char *packet;
};

static void
sources_end_helper(struct sources *s)
{
	if (s->read_event != NULL)
		event_free(s->read_event);
	s->read_event = NULL;
	event_del(s->start_event);
	event_del(s->late_event);
	symbols_process_kill(&s->process);
	if (s->process.dying_n > 0)
		libraries_set_timer(s->reap_event, SOURCES_REAP_MS);
}

static void
sources_on_reap(evutil_socket_t fd, short what, void *arg)
{
	struct sources *s = arg;

	if (symbols_process_reap(&s->process))
		libraries_set_timer(s->reap_event, SOURCES_REAP_MS);
}

/* ---- request ---- */

/* No seals: the helper is our own process and reads the file once. */
static int
sources_write_pcs(const uint64_t *pcs, uint32_t n)
{
	int fd = memfd_create("cfuzz-counters", MFD_CLOEXEC);

	if (fd >= 0 && fd_write_all(fd, pcs, n * sizeof(*pcs), NULL) != OK)
		fd_close(&fd);
	return fd;
}

static bool
sources_send(const struct sources *s)
{
	char control[CMSG_SPACE(sizeof(int))]
		__attribute__((aligned(8))) = { 0 };
	struct iovec iov = { (void *)&s->request, sizeof(s->request) };
	struct msghdr message = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t n;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(s->pcs_fd));
	memcpy(CMSG_DATA(head), &s->pcs_fd, sizeof(s->pcs_fd));
	do
		n = sendmsg(s->process.fd, &message,
			MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(s->request);
}

static void
sources_finish(struct sources *s, struct source_table *table, const char *why)
{
	sources_end_helper(s);
	fd_close(&s->pcs_fd);
	s->asked = false;
	s->config.done(s->config.arg, table, why);
	source_table_clear(&s->table);
}

static void sources_on_readable(evutil_socket_t fd, short what, void *arg);

static bool
sources_start(struct sources *s)
{
	int e = symbols_process_start(&s->process, s->config.program,
		s->config.argv);

	s->tries++;
	source_table_clear(&s->table);
	if (e != 0) {
		log_debug("cannot start the source reader: %s", strerror(e));
		return false;
	}
	s->read_event = event_new(s->config.base, s->process.fd,
		EV_READ | EV_PERSIST, sources_on_readable, s);
	event_add(s->read_event, NULL);
	libraries_set_timer(s->late_event, s->config.silence_ms);
	return sources_send(s);
}

static void
sources_on_trouble(struct sources *s, const char *what)
{
	char why[SOURCES_WHY];

	sources_end_helper(s);
	log_debug("source reader: %s: %s", what, s->request.path);
	while (s->tries < SOURCES_TRIES) {
		if (sources_start(s))
			return;
		sources_end_helper(s);
	}
	snprintf(why, sizeof(why), "the reader of debug information %s", what);
	sources_finish(s, NULL, why);
}

static void
sources_on_start(evutil_socket_t fd, short what, void *arg)
{
	struct sources *s = arg;

	if (!sources_start(s))
		sources_on_trouble(s, "cannot be started");
}

static void
sources_on_late(evutil_socket_t fd, short what, void *arg)
{
	sources_on_trouble(arg, "took too long");
}

/* ---- reply ---- */

/* Reads one packet; false: no more for now. */
static bool
sources_receive(struct sources *s)
{
	ssize_t n = recv(s->process.fd, s->packet, SOURCE_PACKET_MAX,
		MSG_DONTWAIT | MSG_TRUNC);
	struct error err = { 0 };
	bool done = false;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	if (n <= 0) {
		sources_on_trouble(s, "died");
		return false;
	}
	libraries_set_timer(s->late_event, s->config.silence_ms);
	if (source_table_take(&s->table, s->request.n, s->packet, (size_t)n,
		    &done, &err) != OK) {
		log_debug("source reader: %s", err.text);
		sources_on_trouble(s, "sent an invalid reply");
		return false;
	}
	if (done)
		sources_finish(s, &s->table, NULL);
	return !done;
}

static void
sources_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct sources *s = arg;

	for (int i = 0; i < SOURCES_BATCH; i++)
		if (!sources_receive(s))
			return;
}

bool
sources_ask(struct sources *s, const struct sources_question *question)
{
	if (s->asked || question->n > SOURCE_COUNTERS_MAX ||
		strlen(question->path) >= sizeof(s->request.path) ||
		strlen(question->id) >= sizeof(s->request.id))
		return false;
	s->pcs_fd = sources_write_pcs(question->pcs, question->n);
	if (s->pcs_fd < 0)
		return false;
	memset(&s->request, 0, sizeof(s->request));
	s->request.n = question->n;
	snprintf(s->request.path, sizeof(s->request.path), "%s",
		question->path);
	snprintf(s->request.id, sizeof(s->request.id), "%s", question->id);
	s->asked = true;
	s->tries = 0;
	/* Start from the loop: `done` must not be called before the return. */
	event_active(s->start_event, EV_TIMEOUT, 0);
	return true;
}

struct sources *
sources_create(const struct sources_config *config)
{
	struct sources *s = xcalloc(1, sizeof(*s));

	s->config = *config;
	if (s->config.silence_ms == 0)
		s->config.silence_ms = SOURCES_SILENCE_MS;
	s->process.fd = s->pcs_fd = -1;
	s->packet = xmalloc(SOURCE_PACKET_MAX);
	s->start_event = event_new(config->base, -1, 0, sources_on_start, s);
	s->late_event = event_new(config->base, -1, 0, sources_on_late, s);
	s->reap_event = event_new(config->base, -1, 0, sources_on_reap, s);
	return s;
}

void
sources_destroy(struct sources *s)
{
	if (s == NULL)
		return;
	sources_end_helper(s);
	symbols_process_clear(&s->process);
	fd_close(&s->pcs_fd);
	source_table_clear(&s->table);
	event_free(s->start_event);
	event_free(s->late_event);
	event_free(s->reap_event);
	free(s->packet);
	free(s);
}
