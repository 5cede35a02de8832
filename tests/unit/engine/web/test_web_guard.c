/*
 * Who may read: addresses of --http, Host headers, tokens.
 */
#include "engine/web/web_private.h"

#include <stdio.h>
#include <string.h>

#include "lib/rows.h"

/* clang-format off */
static const struct {
	const char *text, *address; /* NULL: refused */
	unsigned port;
} ADDRESSES[] = {
	{ "8080", "127.0.0.1", 8080 },
	{ "0.0.0.0:80", "0.0.0.0", 80 },
	{ "[::1]:65535", "::1", 65535 },
	{ "10.0.0.1:1", "10.0.0.1", 1 },
	{ "", NULL, 0 }, { ":", NULL, 0 }, { ":80", NULL, 0 },
	{ "[]:80", NULL, 0 }, { "a:", NULL, 0 }, { "a:-1", NULL, 0 },
	{ "a:+1", NULL, 0 }, { "a:65536", NULL, 0 }, { "a:99999999", NULL, 0 },
	{ "a:1x", NULL, 0 }, { "0x50", NULL, 0 }, { " 80", NULL, 0 },
	{ "0123456789012345678901234567890123456789012345678901234567890123:80",
		NULL, 0 },
};

static const struct {
	const char *host, *address;
	bool loopback, ours;
} HOSTS[] = {
	{ NULL, "127.0.0.1", true, false },
	{ "", "127.0.0.1", true, false },
	{ "localhost", "127.0.0.1", true, true },
	{ "LocalHost:99", "127.0.0.1", true, true },
	{ "127.0.0.1:80", "127.0.0.1", true, true },
	{ "[::1]:80", "::1", true, true },
	{ "[::1]", "127.0.0.1", true, true },
	{ "127.0.0.2:80", "127.0.0.2", true, true },
	{ "127.0.0.2:80", "127.0.0.1", true, false },
	{ "localhost.evil", "127.0.0.1", true, false },
	{ "evil:127.0.0.1", "127.0.0.1", true, false },
	{ "[", "127.0.0.1", true, false },
	{ "[::1", "127.0.0.1", true, true },
	{ "any.example", "0.0.0.0", false, true },
	{ NULL, "0.0.0.0", false, false },
};

static const struct {
	const char *given;
	bool is;
} TOKENS[] = {
	{ "secret", true }, { NULL, false }, { "", false }, { "secre", false },
	{ "secrets", false }, { "Secret", false }, { "secreT", false },
};

static const struct {
	const char *name, *token;
	bool good;
} CHOICES[] = {
	{ "none", "", false },
	{ "15 characters", "0123456789abcde", false },
	{ "16 characters", "0123456789abcdef", true },
	{ "32 characters", "0123456789abcdef0123456789abcdef", true },
	{ "33 characters", "0123456789abcdef0123456789abcdefx", false },
	{ "all signs", "azAZ0189-._~azAZ", true },
	{ "a blank", "0123456789abcde f", false },
	{ "an ampersand", "0123456789abcde&f", false },
	{ "a control character", "0123456789abcde\033f", false },
};
/* clang-format on */

static void
test_addresses(void **state)
{
	for (size_t i = 0; i < ROWS(ADDRESSES); i++) {
		struct error err = { 0 };
		char address[64];
		uint16_t port = 0;
		bool ok = web_parse_address(ADDRESSES[i].text, address, &port,
				  &err) == OK;

		row_check(ok == (ADDRESSES[i].address != NULL), "%s: %s",
			ADDRESSES[i].text, err.text);
		row_check(!ok ||
				(port == ADDRESSES[i].port &&
					strcmp(address, ADDRESSES[i].address) ==
						0),
			"%s: %s %u", ADDRESSES[i].text, address, port);
	}
}

static void
test_hosts(void **state)
{
	for (size_t i = 0; i < ROWS(HOSTS); i++)
		row_check(web_host_is_ours(HOSTS[i].host, HOSTS[i].address,
				  HOSTS[i].loopback) == HOSTS[i].ours,
			"%s at %s", HOSTS[i].host, HOSTS[i].address);
}

static void
test_tokens(void **state)
{
	for (size_t i = 0; i < ROWS(TOKENS); i++)
		row_check(web_token_is(TOKENS[i].given, "secret") ==
				TOKENS[i].is,
			"%s", TOKENS[i].given);
}

static void
test_choices(void **state)
{
	for (size_t i = 0; i < ROWS(CHOICES); i++)
		row_check(web_token_is_good(CHOICES[i].token) ==
				CHOICES[i].good,
			"%s", CHOICES[i].name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_choices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
