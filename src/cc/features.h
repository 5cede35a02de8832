/*
 * features: what each compiler gives a target, in words.
 */
#ifndef CFUZZ_CC_FEATURES_H
#define CFUZZ_CC_FEATURES_H

#include <stdio.h>

#include "cc/translate.h"

/* The table for this compiler, which calls itself version. */
void features_print(FILE *out, enum compiler_kind compiler,
	const char *version);

/* One line on what a target built with gcc has to do without. */
void features_print_note(FILE *out);

#endif
