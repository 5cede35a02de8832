/*
 * stored: output directories in a struct tree, of the targets a (also rebuilt
 * or moved) and b. A failure ends the test.
 */
#ifndef CFUZZ_TESTS_STORE_STORED_H
#define CFUZZ_TESTS_STORE_STORED_H

#include "lib/tree.h"
#include "store/store_finding.h"

extern const struct target_info stored_a, stored_a_rebuilt, stored_a_moved;
extern const struct target_info stored_b;

/* err may be NULL. */
enum status stored_try(const struct tree *tree, const char *name,
	const struct target_info *target, struct store **store,
	struct error *err);
struct store *stored_open(const struct tree *tree, const char *name,
	const struct target_info *target);
/* Writes all files and closes the store. */
void stored_finish(struct store *take_store);
/* Opening fails with this status, and these words are in the message. */
void stored_refused(const struct tree *tree, const char *name,
	const struct target_info *target, enum status want, const char *words);

/* All names below a folder with type, size, inode and time, to detect changes.
 * The caller frees them. */
char *stored_listing(const struct tree *tree, const char *name);

/* A campaign of target a with two findings, a suspect and an entry. */
void stored_make(const struct tree *tree, const char *name);
void stored_check(const struct store *store);

#endif
