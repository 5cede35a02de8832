/* page_pins: see page_pins.h. */

#include "target/program/page_pins.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/child/worker.h"

#if defined(SYS_io_uring_setup) && __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>

bool
page_pins_add(const struct iovec *ranges, uint32_t n)
{
	struct io_uring_params params = { .flags = IORING_SETUP_R_DISABLED };
	int fd = (int)syscall(SYS_io_uring_setup, 1, &params);

	if (fd < 0)
		return false;
	/* The pins last as long as the ring, and that as long as the child. */
	fd = worker_raise_fd(fd);
	if (fd < 0)
		return false;
	if (syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, ranges,
		    n) == 0)
		return true;
	close(fd);
	return false;
}

#else

bool
page_pins_add(const struct iovec *ranges, uint32_t n)
{
	(void)ranges;
	(void)n;
	errno = ENOSYS;
	return false;
}

#endif
