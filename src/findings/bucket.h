/*
 * bucket: which bug a failure is, by the names of where it happened.
 *
 * Two failures are one bug if they have the same kind, the same class ("heap-
 * buffer-overflow", "SIGSEGV", "exit 3"), the same detail (the condition of
 * an assertion, a read or a write) and the same BUCKET_FRAMES innermost
 * frames of the target's own. The reasons:
 *
 * - Frames are functions, by name. What a linker, a loader or an optimizer
 *   moves is no part of it: no addresses, no folders, and all copies of a
 *   function (inlined ones, clones, instances of a template) are one, see
 *   function_name.h. What is inlined counts as the frame that it was in the
 *   source: builds that inline otherwise give the same bucket.
 * - Frames of the C and C++ libraries, allocators and sanitizers are skipped
 *   wherever they stand: they are where a bug is noticed, not where it is.
 * - Three, as in libFuzzer's and ClusterFuzz's tokens. With more, each way
 *   to a bug is one of its own; with fewer, all misuses of a helper are one.
 *   So one bug that is reached by two direct callers, three deep, is two
 *   buckets: no stack tells it from a helper that two callers misuse, and of
 *   the two errors to hide a bug is the worse one.
 * - Of the innermost frame the line counts too, for one function may have
 *   several bugs of a kind; again, to hide one of them is worse than a second
 *   look. It is counted from where the function is declared, so that changes
 *   elsewhere in the file make no new bugs. Lines of the callers do not
 *   count: the same bug in two calls is one.
 * - A recursion is told by its functions once, in the order in which they
 *   come. Where the stack ended is chance, so a used up stack is the set of
 *   the functions that go round, without a line.
 * - Where a hang or a memory hog was when it was ended is chance, too: the
 *   line does not count. A hang below a recursion is the function that does
 *   not return and those that go round, however often they have.
 * - What a stack holds that was written over is chance, too: all of a kind
 *   that end so are one, and only a sanitizer tells them apart.
 * - A frame without a name is its module and offset, as in the signature.
 *
 * Same signature (shared/wire/failure.h), same bucket: what a bucket is made of is
 * in the signature, or follows from it.
 */
#ifndef CFUZZ_FINDINGS_BUCKET_H
#define CFUZZ_FINDINGS_BUCKET_H

#include <stddef.h>
#include <stdint.h>

#include "findings/symbols_client.h"
#include "shared/wire/failure.h"

#define BUCKET_FRAMES 3u
#define BUCKET_KEY_SIZE 2048u

/*
 * Writes the identity in words, cleaned: "sanitizer, heap-buffer-overflow,
 * READ, fill tiles.c +4, read_tile tiles.c". names may be NULL: all by module
 * and offset.
 */
void bucket_key(const struct failure *failure,
	const struct symbols_answer *names, char *buf, size_t size);

/* The same as a number, never 0. */
uint64_t bucket_identity(const struct failure *failure,
	const struct symbols_answer *names);

/*
 * What is left over when there are too many: the one bucket of all further
 * failures of a kind. Never 0.
 */
uint64_t bucket_overflow(enum failure_kind kind);

/*
 * The innermost frame of the target's own: the number of the frame, and of
 * the name there in *depth. frames_n: there is none.
 */
uint32_t bucket_own_frame(const struct failure *failure,
	const struct symbols_answer *names, uint32_t *depth);

#endif
