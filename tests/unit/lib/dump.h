/*
 * dump: a grid as text, for comparisons.
 */
#ifndef CFUZZ_TESTS_DUMP_H
#define CFUZZ_TESTS_DUMP_H

#include "ui/term/grid.h"

/* A line per row, trailing blanks cut. To be freed. */
char *grid_dump(const struct grid *grid);

#endif
