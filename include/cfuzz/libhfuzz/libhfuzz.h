/*
 * libhfuzz: what harnesses for honggfuzz include, <libhfuzz/libhfuzz.h> or
 * <libhfuzz.h>. cfuzz-cc finds this header if there is no other.
 */
#ifndef CFUZZ_LIBHFUZZ_H
#define CFUZZ_LIBHFUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Waits for the next input, of *len bytes, valid until the next call; see
 * cfuzz.h. */
void HF_ITER(const uint8_t **data, size_t *len);

/* For harnesses without a main(); see cfuzz.h as well. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#ifdef __cplusplus
}
#endif

#endif
