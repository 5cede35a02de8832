/*
 * late_library: for a test that loads a library late. The leak check of
 * AddressSanitizer fails on the thread-local memory of such a library.
 */
#ifndef CFUZZ_TESTS_LATE_LIBRARY_H
#define CFUZZ_TESTS_LATE_LIBRARY_H

const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "intercept_tls_get_addr=0";
}

#endif
