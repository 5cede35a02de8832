/*
 * writing: a writer in a struct tree, and files for it. A failure ends the
 * test.
 */
#ifndef CFUZZ_TESTS_STORE_WRITING_H
#define CFUZZ_TESTS_STORE_WRITING_H

#include "lib/tree.h"
#include "store/writer.h"

struct writer *writing_open(const struct tree *tree);

/* A callback that counts files on the disk: arg is an unsigned. */
void writing_count(void *arg, enum status status);

/* counter: see writing_count(); NULL: no callback. */
void writing_add(struct writer *writer, enum writer_kind kind,
	const char *folder, const char *name, const char *text,
	unsigned *counter);

/* Long work for writer_steps(), whose arg it is; used by one side at a time. */
struct writing_pieces {
	unsigned left, ended; /* left UINT_MAX: endless */
	enum status status;
};

bool writing_step(void *pieces);
void writing_end(void *pieces, enum status status);

#endif
