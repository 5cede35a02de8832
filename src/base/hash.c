/*
 * hash: SHA-256 and random bytes, see hash.h.
 *
 * OpenSSL 3 deprecates the SHA256_* calls, but they need neither its
 * configuration nor its providers, and link little of the static library.
 * Loading all of OpenSSL takes longer than a target takes to start.
 */

/* The SHA256_* calls are not deprecated in the API of OpenSSL 1.1.0. */
#define OPENSSL_API_COMPAT 0x10100000L

#include "base/hash.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hex_text.h"

#define HASH_EXIT_STATUS 3

/* ---- SHA-256 ------------------------------------------------------------ */

void
sha256(const void *data, size_t len, uint8_t out[SHA256_LEN])
{
	SHA256_CTX state;

	(void)SHA256_Init(&state);
	(void)SHA256_Update(&state, data, len);
	(void)SHA256_Final(out, &state);
}

void
sha256_name(const void *data, size_t len, char hex[SHA256_HEX_SIZE])
{
	uint8_t hash[SHA256_LEN];

	sha256(data, len, hash);
	hex_encode(hash, SHA256_LEN, hex);
}

/* ---- random bytes ------------------------------------------------------- */

/* No file can be named without random bytes, so the program ends. */
static _Noreturn void
hash_fail(const char *what)
{
	fprintf(stderr, "cfuzz: %s does not work on this machine\n", what);
	_exit(HASH_EXIT_STATUS);
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
