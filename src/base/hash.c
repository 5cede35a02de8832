/*
 * hash: SHA-256 and random bytes, see hash.h.
 *
 * Neither may fail half-way: without them no file can be named, so a failure
 * of the library or the kernel ends the program.
 */

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include <openssl/evp.h>

#define HASH_EXIT_STATUS 3

static _Noreturn void
hash_fail(const char *what)
{
	fprintf(stderr, "cfuzz: %s does not work on this machine\n", what);
	_exit(HASH_EXIT_STATUS);
}

void
sha256(const void *data, size_t len, uint8_t out[SHA256_LEN])
{
	unsigned out_len = SHA256_LEN;

	if (!EVP_Digest(data, len, out, &out_len, EVP_sha256(), NULL))
		hash_fail("SHA-256 of libcrypto");
}

void
sha256_name(const void *data, size_t len, char hex[SHA256_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t hash[SHA256_LEN];

	sha256(data, len, hash);
	for (size_t i = 0; i < SHA256_LEN; i++) {
		hex[2 * i] = digits[hash[i] >> 4];
		hex[2 * i + 1] = digits[hash[i] & 15];
	}
	hex[2 * SHA256_LEN] = '\0';
}

void
random_bytes(void *buf, size_t len)
{
	uint8_t *next = buf;

	while (len) {
		ssize_t got = getrandom(next, len, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			hash_fail("getrandom");
		next += got;
		len -= (size_t)got;
	}
}
