/*
 * printable: the code points that the corpus format writes unescaped, which are
 * those of Go's strconv.IsPrint() with Unicode 13.0: letters, marks, digits,
 * punctuation, symbols and the plain space. Control and format characters,
 * other spaces and unassigned code points are escaped.
 */
#ifndef CFUZZ_SHARED_VALUES_PRINTABLE_H
#define CFUZZ_SHARED_VALUES_PRINTABLE_H

#include <stdbool.h>
#include <stdint.h>

bool printable_code(uint32_t code);

#endif
