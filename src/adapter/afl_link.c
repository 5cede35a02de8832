/* afl_link: see afl_link.h. */

#include "adapter/afl_link.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum status
afl_link_read(struct afl_server *s, void *to, size_t len, struct error *err)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = read(s->status_fd, (char *)to + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_set(err, E_TARGET,
				"the fork server of %s has ended", s->path);
		done += (size_t)n;
	}
	return OK;
}

enum status
afl_link_write(struct afl_server *s, uint32_t word, struct error *err)
{
	ssize_t n;

	do
		n = write(s->command_fd, &word, sizeof(word));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(word)
		? OK
		: error_set(err, E_TARGET, "the fork server of %s has ended",
			  s->path);
}

bool
afl_link_wait(struct afl_server *s, int limit_ms)
{
	struct pollfd fd = { .fd = s->status_fd, .events = POLLIN };
	int n;

	do
		n = poll(&fd, 1, limit_ms);
	while (n < 0 && errno == EINTR);
	return n != 0;
}
