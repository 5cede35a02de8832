/* help: what the tests of the compiler wrapper share. */
#ifndef TESTS_CC_HELP_H
#define TESTS_CC_HELP_H

#include <stddef.h>

#include "cc/arguments.h"
#include "cc/compile_command.h"

/* A command from text, the words of which stand after the program's name. */
void help_command(struct compile_command *command, const char *text);

/* The words with a blank between; the caller frees. */
char *help_join(const struct arguments *words);

/* Go into a fresh folder, and leave and remove it again. */
void help_enter_scratch(void);
void help_leave_scratch(void);

/* A file in the current folder. */
void help_write(const char *path, const void *bytes, size_t len);
void help_write_text(const char *path, const char *text);

#endif
