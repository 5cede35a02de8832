/* output: see output.h. */
#include "lib/output.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/rows.h"

void
output_begin(struct output *output)
{
	int i;

	fflush(NULL);
	for (i = 0; i < 2; i++) {
		output->saved[i] = dup(i + 1);
		output->files[i] = memfd_create("output", MFD_CLOEXEC);
		assert_true(output->saved[i] >= 0 && output->files[i] >= 0);
		assert_int_equal(dup2(output->files[i], i + 1), i + 1);
	}
}

void
output_end(struct output *output)
{
	char *texts[2] = { output->out, output->err };
	ssize_t len;
	int i;

	fflush(NULL);
	for (i = 0; i < 2; i++) {
		assert_int_equal(dup2(output->saved[i], i + 1), i + 1);
		len = pread(output->files[i], texts[i], OUTPUT_MAX - 1, 0);
		assert_true(len >= 0);
		texts[i][len] = '\0';
		close(output->saved[i]);
		close(output->files[i]);
	}
}
