/* page_pins: see page_pins.h. */

#include "target/program/page_pins.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "target/child/worker.h"

#if defined(SYS_io_uring_setup) && __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>

/* The pins last as long as the ring. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static int pins_ring = -1;

bool
page_pins_set(const struct iovec *ranges, uint32_t n)
{
	struct io_uring_params params = { .flags = IORING_SETUP_R_DISABLED };

	if (pins_ring >= 0)
		close(pins_ring);
	pins_ring = (int)syscall(SYS_io_uring_setup, 1, &params);
	if (pins_ring >= 0)
		pins_ring = worker_raise_fd(pins_ring);
	if (pins_ring < 0)
		return false;
	if (syscall(SYS_io_uring_register, pins_ring, IORING_REGISTER_BUFFERS,
		    ranges, n) == 0)
		return true;
	close(pins_ring);
	pins_ring = -1;
	return false;
}

#else

bool
page_pins_set(const struct iovec *ranges, uint32_t n)
{
	return false;
}

#endif
