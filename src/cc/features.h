/*
 * features: lists which features a target has with each compiler.
 */
#ifndef CFUZZ_CC_FEATURES_H
#define CFUZZ_CC_FEATURES_H

#include <stdio.h>

#include "cc/translate.h"

/*
 * Prints the table for this compiler; version: its line of
 * compiler_get_version().
 */
void features_print(FILE *out, enum compiler_kind compiler,
	const char *version);

/* Prints one line with the features that gcc lacks. */
void features_print_note(FILE *out);

#endif
