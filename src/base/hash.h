/*
 * hash: SHA-256 for names, and random bytes from the kernel.
 */
#ifndef CFUZZ_BASE_HASH_H
#define CFUZZ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_LEN 32
#define SHA256_HEX_SIZE 65

void sha256(const void *data, size_t len, uint8_t out[SHA256_LEN]);

/* The 64 hex digits, lower case. File names use the first 16. */
void sha256_name(const void *data, size_t len, char hex[SHA256_HEX_SIZE]);

/* Cannot fail: without random bytes the program ends with exit status 3. */
void random_bytes(void *buf, size_t len);

#endif
