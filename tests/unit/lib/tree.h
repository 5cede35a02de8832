/*
 * tree: a folder in /tmp for one test, an event loop, and short ways to
 * make and look at what is in it. Names are relative to the folder.
 */
#ifndef CFUZZ_TESTS_ENGINE_TREE_H
#define CFUZZ_TESTS_ENGINE_TREE_H

#include <stdbool.h>

#include <event2/event.h>

#include "lib/rows.h"

/* For a wait for the disk that ends by itself, however slow the disk is. */
#define TREE_DISK_MS 120000

struct tree {
	int fd;
	char path[64];
	struct event_base *base;
	bool mounted;
};

/* Set-up and tear-down; *state is a struct tree. */
int tree_open(void **state);
int tree_close(void **state);
#define TREE_TEST(name) \
	cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

/* The same, and the test runs in the folder. */
int tree_enter(void **state);
int tree_leave(void **state);

/* "<folder>/<name>", good for the next few calls. */
const char *tree_path(const struct tree *tree, const char *name);

void tree_write(const struct tree *tree, const char *name, const void *data,
	size_t len);
void tree_text(const struct tree *tree, const char *name, const char *text);
void tree_folder(const struct tree *tree, const char *name);

/* NULL: not there. The caller's; a zero follows. */
char *tree_read(const struct tree *tree, const char *name, size_t *len);
bool tree_has(const struct tree *tree, const char *name);
bool tree_holds(const struct tree *tree, const char *name, const char *text);
unsigned tree_count(const struct tree *tree, const char *folder);

/* The same file in each kind of place: text, finding/input in a folder like that
 * of a finding, and out/crashes/x/input in an output directory. */
void tree_places(const struct tree *tree, const char *text);

/* Runs a shell command in the folder; skips the test if it fails, as a tool may be
 * missing. What it prints is dropped. */
void tree_shell(const struct tree *tree, const char *command);

/* A file system of that many bytes on a subfolder; false: not allowed. */
bool tree_mount(struct tree *tree, const char *name, size_t len);
bool tree_grow(struct tree *tree, const char *name, size_t len);

/* Runs the loop until *counter is n; fails after TREE_DISK_MS. */
void tree_wait(const struct tree *tree, const unsigned *counter, unsigned n);

#endif
