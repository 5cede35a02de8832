/*
 * web: what decides who may read over HTTP. The first line is the value of
 * --http, the second the Host header of a request, the third a token.
 */
#include "engine/web/web_private.h"
#include "fuzz/fuzz.h"

int fuzz_web(const uint8_t *data, size_t size);

static const char *
web_fuzz_line(char **rest)
{
	char *line = strsep(rest, "\n");

	return line != NULL ? line : "";
}

int
fuzz_web(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text;
	const char *http = web_fuzz_line(&rest), *host = web_fuzz_line(&rest);
	const char *token = web_fuzz_line(&rest);
	char address[64] = "";
	struct error err = { 0 };
	uint16_t port;

	if (web_parse_address(http, address, &port, &err) == OK)
		FUZZ_CHECK(strlen(address) < sizeof(address));
	else
		FUZZ_CHECK(strchr(err.text, '\n') == NULL);
	(void)web_host_is_ours(host, address, true);
	FUZZ_CHECK(web_host_is_ours(host, address, false));
	FUZZ_CHECK(web_token_is(token, token));
	FUZZ_CHECK(web_token_is(token, host) == (strcmp(token, host) == 0));
	if (web_token_is_good(token))
		FUZZ_CHECK(strlen(token) < WEB_TOKEN_SIZE);
	free(text);
	return 0;
}

FUZZ_TARGET(web)
