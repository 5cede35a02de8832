/*
 * bucket: decides which bug a failure is, by the names of its stack frames.
 *
 * Two failures are one bug if they have the same kind, the same class
 * ("heap-buffer-overflow", "SIGSEGV", "exit 3"), the same detail (the condition
 * of an assertion, a read or a write) and the same BUCKET_FRAMES innermost
 * frames of the target. The reasons:
 *
 * - A frame is a function name. Addresses and folders do not count, because
 *   linkers, loaders and optimizers change them. All copies of a function
 *   (inlined ones, clones, instances of a template) are one, see
 *   function_name.h. An inlined function counts as the frame that it is in the
 *   source, so builds that inline differently give the same bucket.
 * - Frames of the C and C++ libraries, allocators and sanitizers are skipped at
 *   any depth: they notice a bug, but do not contain it.
 * - BUCKET_FRAMES is 3, as in the tokens of libFuzzer and ClusterFuzz. With
 *   more frames, each path to a bug is a bucket; with fewer, all misuses of a
 *   helper are one. So a bug with two callers, three frames deep, is two
 *   buckets: a stack cannot tell it from a helper that two callers misuse, and
 *   hiding a bug is the worse error.
 * - The line of the innermost frame counts, because one function may have
 *   several bugs of a kind. The line is relative to the declaration of the
 *   function, so that changes elsewhere in the file make no new bugs. Without
 *   line numbers the offset takes its place. Lines of callers do not count: the
 *   same bug reached by two calls is one.
 * - A recursion counts each function once, in the order of the stack. The end
 *   of an exhausted stack is arbitrary, so such a stack is the set of the
 *   recursive functions, without a line.
 * - The line of a hang or an out-of-memory does not count: it is where the time
 *   or the memory ended. A hang below a recursion is the function that does not
 *   return and the set of recursive functions.
 * - The frames of a smashed stack are arbitrary. All such failures of a kind
 *   are one; only a sanitizer can tell them apart.
 * - A frame without a name is its module and offset, as in the stack hash.
 *
 * Failures with the same stack hash (shared/wire/failure.h) have the same
 * bucket: all that a bucket is made of is in the stack hash or follows from it.
 */
#ifndef CFUZZ_FINDINGS_BUCKET_H
#define CFUZZ_FINDINGS_BUCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/symbols_client.h"
#include "shared/wire/failure.h"

#define BUCKET_FRAMES 3u
#define BUCKET_KEY_SIZE 2048u

/*
 * Writes the key as text, cleaned: "sanitizer, heap-buffer-overflow, READ, fill
 * tiles.c +4, read_tile tiles.c". names may be NULL: then all frames are module
 * and offset. size: BUCKET_KEY_SIZE; a longer key is cut.
 */
void bucket_key(const struct failure *failure,
	const struct symbols_answer *names, char *buf, size_t size);

/* Does the target's code decide where this kind of failure happens? Not of a hang,
 * or where memory or the stack ends. */
bool bucket_line_counts(const struct failure *failure);

/* The hash of the key (FNV-1a, 64 bits), never 0. */
uint64_t bucket_identity(const struct failure *failure,
	const struct symbols_answer *names);

/*
 * The bucket of all further failures of a kind when there are too many
 * findings. Never 0.
 */
uint64_t bucket_overflow(enum failure_kind kind);

#endif
