/*
 * afl_cmplog: the comparisons that a CmpLog program of AFL++ has recorded.
 *
 * The program writes them to shared memory: a header for each comparison of the
 * program, then a row of operands for each. Versions of AFL++ differ in the
 * layout and do not say which one they have, so it is recognised by the
 * records.
 */
#ifndef CFUZZ_ADAPTER_AFL_CMPLOG_H
#define CFUZZ_ADAPTER_AFL_CMPLOG_H

#include <stddef.h>
#include <stdint.h>

struct afl_cmplog_layout;

struct afl_cmplog {
	uint8_t *map; /* AFL_CMPLOG_SIZE bytes, the caller's */
	const struct afl_cmplog_layout *layout; /* NULL: not known yet */
};

#ifndef AFL_CMPLOG_ROWS /* tests/fuzz/afl_cmplog.c defines fewer */
#define AFL_CMPLOG_ROWS 65536u
#endif
/* Bytes: no layout is larger, with 8 bytes of header and 72 bytes for each of
 * the 32 columns of a row. Most of its pages are never touched. */
#define AFL_CMPLOG_SIZE (AFL_CMPLOG_ROWS * (8u + 32u * 72u))

/* Call before a run: clears the headers, and so the map. */
void afl_cmplog_clear(struct afl_cmplog *cmplog);

/*
 * Call after a run, between compare_begin() and compare_end(): hands the
 * comparisons to target/hooks/compare.h. No comparison is handed over before
 * the layout is recognised. The contents of the map may be anything.
 */
void afl_cmplog_read(struct afl_cmplog *cmplog);

#endif
