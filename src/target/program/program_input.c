/* program_input: see program_input.h. */

#include "target/program/program_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/child/refusal.h"
#include "target/child/worker.h"

/* A file of ours under that name; whatever stands there is replaced. */
static int
input_create(struct program_input *input)
{
	struct stat st;
	int fd;

	if (unlink(input->path) != 0 && errno == EISDIR)
		(void)rmdir(input->path);
	fd = open(input->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	if (input->fd >= 0)
		close(input->fd);
	input->fd = worker_raise_fd(fd);
	if (input->fd < 0 || fstat(input->fd, &st) != 0)
		return errno;
	input->made = st;
	return 0;
}

/* Standard input becomes a descriptor that cannot write. */
static int
input_replace_stdin(struct program_input *input)
{
	char path[64];
	int fd = memfd_create("cfuzz-input", MFD_CLOEXEC), from_fd;

	if (fd < 0)
		return errno;
	input->fd = worker_raise_fd(fd);
	if (input->fd < 0)
		return errno;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", input->fd);
	from_fd = open(path, O_RDONLY | O_CLOEXEC);
	/* Without /proc the program gets one that can write as well. */
	if (dup2(from_fd >= 0 ? from_fd : input->fd, STDIN_FILENO) < 0)
		return errno;
	if (from_fd >= 0)
		close(from_fd);
	return 0;
}

enum status
program_input_open(struct program_input *input, const char *path,
	struct error *err)
{
	int errnum;

	/* A new child does not know what the last one left there. */
	*input = (struct program_input){ .path = path,
		.fd = -1,
		.len = SIZE_MAX };
	if (path == NULL) {
		errnum = input_replace_stdin(input);
		return errnum == 0
			? OK
			: error_set(err, E_IO,
				  "standard input cannot be replaced: %s",
				  strerror(errnum));
	}
	errnum = input_create(input);
	return errnum == 0 ? OK
			   : error_set(err, E_IO,
				     "the input file %s cannot be written: %s",
				     path, strerror(errnum));
}

void
program_input_forget(struct program_input *input)
{
	input->len = SIZE_MAX;
}

static int
input_write_all(const struct program_input *input, const uint8_t *data,
	size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = pwrite(input->fd, data + done, len - done, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		done += (size_t)n;
	}
	return 0;
}

/*
 * A limit of the files that the program writes is none of its input: it would
 * end this process in the program's place. So it is lifted for the moment.
 */
static int
input_write(const struct program_input *input, const uint8_t *data, size_t len)
{
	struct rlimit limit, more;
	int errnum;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= len)
		return input_write_all(input, data, len);
	more = (struct rlimit){ .rlim_cur = len, .rlim_max = limit.rlim_max };
	if (more.rlim_max < len)
		more.rlim_max = len;
	if (setrlimit(RLIMIT_FSIZE, &more) != 0)
		return EFBIG;
	errnum = input_write_all(input, data, len);
	(void)setrlimit(RLIMIT_FSIZE, &limit);
	return errnum;
}

/* Is it the file that we have made, and still as we have made it? */
static bool
input_is_ours(const struct program_input *input, const struct stat *st)
{
	const struct stat *made = &input->made;

	return st->st_ino == made->st_ino && st->st_dev == made->st_dev &&
		st->st_mode == made->st_mode && st->st_uid == made->st_uid &&
		st->st_nlink == 1;
}

static int
input_put_file(struct program_input *input, const uint8_t *data, size_t len)
{
	struct stat st;
	int errnum;

	if (lstat(input->path, &st) != 0 || !input_is_ours(input, &st)) {
		errnum = input_create(input);
		if (errnum != 0)
			return errnum;
		st.st_size = 0;
	}
	/* Never to 0 first: some file systems write such a file to the disk. */
	errnum = input_write(input, data, len);
	if (errnum == 0 && (size_t)st.st_size > len &&
		ftruncate(input->fd, (off_t)len) != 0)
		errnum = errno;
	/* A part of an input is of no use, and may take the room of others. */
	if (errnum != 0)
		(void)!ftruncate(input->fd, 0);
	return errnum;
}

static int
input_put_stdin(struct program_input *input, const uint8_t *data, size_t len)
{
	int errnum = input_write(input, data, len);

	if (errnum == 0 && len < input->len &&
		ftruncate(input->fd, (off_t)len) != 0)
		errnum = errno;
	input->len = len;
	/* All runs share the position. */
	(void)lseek(STDIN_FILENO, 0, SEEK_SET);
	return errnum;
}

int
program_input_put(struct program_input *input, const uint8_t *data, size_t len)
{
	return input->path != NULL ? input_put_file(input, data, len)
				   : input_put_stdin(input, data, len);
}

bool
program_input_offer(struct program_input *input, struct worker *w,
	const uint8_t *data, size_t len)
{
	unsigned tries = 0;
	int errnum;

	do
		errnum = program_input_put(input, data, len);
	while (errnum != 0 && refusal_wait(w, errnum, &tries));
	if (errnum != 0)
		refusal_fail(w, "the input cannot be written", errnum);
	return errnum == 0;
}
