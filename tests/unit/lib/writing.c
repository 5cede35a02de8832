/*
 * writing: see writing.h.
 */
#include "lib/writing.h"

#include <limits.h>
#include <string.h>

void
writing_count(void *arg, enum status status)
{
	unsigned *counter = arg;

	if (status == E_STATE)
		return; /* cancelled by writer_destroy() */
	assert_int_equal(status, OK);
	(*counter)++;
}

struct writer *
writing_open(const struct tree *tree)
{
	struct writer *writer = writer_create(tree->base, tree->fd, NULL);

	assert_non_null(writer);
	return writer;
}

void
writing_add(struct writer *writer, enum writer_kind kind, const char *folder,
	const char *name, const char *text, unsigned *counter)
{
	writer_add(writer,
		&(struct writer_file){
			.kind = kind,
			.folder = folder,
			.name = name,
			.sync = kind == WRITER_JOURNAL,
			.data = text,
			.len = strlen(text),
			.done = counter ? writing_count : NULL,
			.arg = counter,
		});
}

bool
writing_step(void *arg)
{
	struct writing_pieces *pieces = arg;

	return pieces->left == UINT_MAX || --pieces->left > 0;
}

void
writing_end(void *arg, enum status status)
{
	struct writing_pieces *pieces = arg;

	pieces->ended++;
	pieces->status = status;
}
