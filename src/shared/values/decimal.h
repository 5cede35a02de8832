/*
 * decimal: floats as text and back, exact and independent of the locale.
 *
 * Formatting gives the shortest digits that read back as the same value in its
 * own width. Parsing rounds once, directly to the wanted width.
 */
#ifndef CFUZZ_SHARED_VALUES_DECIMAL_H
#define CFUZZ_SHARED_VALUES_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/sink.h"
#include "shared/values/number.h"

/* "0.1", "-0", "1e+06", "+Inf", "NaN". narrow: value is a float. */
void decimal_format(struct sink *sink, double value, bool narrow);

/*
 * Converts a literal that number_scan() has accepted, which has no sign. An
 * integer must be decimal, else NUMBER_SYNTAX; leading zeros are ignored.
 * NUMBER_RANGE if the value is too large; a value that is too small becomes 0.
 */
enum number_result decimal_parse(const char *text, size_t len, bool narrow,
	double *value);

#endif
