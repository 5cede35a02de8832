/* web_guard: who may read what web.c serves. */
#include "engine/web/web_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

#define WEB_LOOPBACK "127.0.0.1"

static bool
web_parse_port(const char *text, uint16_t *port)
{
	char *end;
	unsigned long n;

	if (text[0] < '0' || text[0] > '9' || strlen(text) > 5)
		return false;
	n = strtoul(text, &end, 10);
	*port = (uint16_t)n;
	return *end == '\0' && n > 0 && n <= UINT16_MAX;
}

enum status
web_parse_address(const char *text, char address[64], uint16_t *port,
	struct error *err)
{
	const char *colon = strrchr(text, ':');
	size_t len = colon != NULL ? (size_t)(colon - text) : 0;
	char shown[128];

	if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	snprintf(address, 64, "%.*s", (int)(len < 63 ? len : 63), text);
	if (colon == NULL)
		snprintf(address, 64, WEB_LOOPBACK);
	if (len < 63 && (colon == NULL || len > 0) &&
		web_parse_port(colon != NULL ? colon + 1 : text, port))
		return OK;
	text_clean_string(text, shown, sizeof(shown));
	return error_set(err, E_FORMAT,
		"--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, "
		"not %s",
		shown);
}

/* The name in a Host header, without its port. */
static void
web_host_name(const char *host, char *name, size_t size)
{
	const char *end =
		host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
	size_t len = end != NULL ? (size_t)(end - host) : strlen(host);

	if (host[0] == '[') {
		host++;
		len = len > 0 ? len - 1 : 0;
	}
	snprintf(name, size, "%.*s", (int)(len < size ? len : size - 1), host);
}

bool
web_host_is_ours(const char *host, const char *address, bool loopback)
{
	static const char *const names[] = { "localhost", WEB_LOOPBACK, "::1" };
	char name[128];

	if (host == NULL)
		return false;
	web_host_name(host, name, sizeof(name));
	if (strcasecmp(name, address) == 0)
		return true;
	/* A token guards an address that others reach under any name. */
	if (!loopback)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

bool
web_token_is_good(const char *token)
{
	size_t len = strlen(token);

	return len >= WEB_TOKEN_MIN && len < WEB_TOKEN_SIZE &&
		strspn(token,
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			"0123456789-._~") == len;
}

bool
web_token_is(const char *given, const char *token)
{
	size_t len = strlen(token);
	unsigned char differs = 0;

	if (given == NULL || strlen(given) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		differs |= (unsigned char)(given[i] ^ token[i]);
	return differs == 0;
}
