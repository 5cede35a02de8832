/*
 * --http with real requests: what is served, to whom, and what is refused.
 */
#include "lib/tree.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/bufferevent.h>

#include "engine/triage/findings_list.h"
#include "lib/fake_worker.h"
#include "lib/files.h"
#include "lib/own_note.h"
#include "lib/web_reader.h"

#define TOKEN "0123456789abcdef-"
#define HOST "Host: localhost\r\n"
#define END "Connection: close\r\n\r\n"
#define GET(path) "GET " path " HTTP/1.1\r\n" HOST END
#define HEAD(path) "HEAD " path " HTTP/1.1\r\n" HOST END
#define BEARER(token) "Authorization: Bearer " token "\r\n"

static const char *const few[] = { "parallel", "1", "fuzztime", "200x",
	"verify", "2", "minimizetime", "10x", NULL };
static const char *const plain[] = { "parallel", "1", NULL };

/* The reply to one request, which closes the connection. Freed by the caller. */
static char *
ask(struct web_server *server, const char *request)
{
	struct web_reader reader;
	char *reply;

	web_reader_open(&reader, server, request);
	reply = strdup(web_reader_reply(&reader));
	web_reader_close(&reader);
	return reply;
}

static int
status_of(const char *reply)
{
	int status = 0;

	(void)sscanf(reply, "HTTP/1.%*d %d", &status);
	return status;
}

static size_t
times_in(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)) != NULL; text += strlen(word))
		n++;
	return n;
}

/* ---- what is served ------------------------------------------------------- */

/* clang-format off */
static const struct good_row {
	const char *name, *request;
	const char *type;
	const char *body; /* somewhere in it; NULL: it is empty */
} GOOD[] = {
	{ "the page", GET("/"), "text/html; charset=utf-8", "<!doctype html>" },
	{ "the page, with a query", GET("/?x=1"), "text/html; charset=utf-8", "<!doctype html>" },
	{ "the head of the page", HEAD("/"), "text/html; charset=utf-8", NULL },
	{ "its style", GET("/page.css"), "text/css; charset=utf-8", "{" },
	{ "its script", GET("/page.js"), "text/javascript; charset=utf-8", "fetch(" },
	{ "numbers", GET("/metrics"), "text/plain; version=0.0.4; charset=utf-8",
		"\ncfuzz_findings{kind=\"crash\"} 1\n" },
	{ "the head of the numbers", HEAD("/metrics"), "text/plain; version=0.0.4; charset=utf-8", NULL },
	{ "statistics", GET("/stats.json"), "application/json", "\"SIGSEGV\"" },
	{ "the series", GET("/series.json"), "application/json", "\"findings\":[1" },
	{ "the head of the journal", HEAD("/events"), "text/event-stream", NULL },
	{ "another name of this machine", "GET /metrics HTTP/1.1\r\nHost: [::1]:1\r\n" END,
		"text/plain; version=0.0.4; charset=utf-8", "cfuzz_" },
};
/* clang-format on */

static void
check_good(struct web_server *server, const struct good_row *row)
{
	static const char *const once[] = { "\r\nCache-Control: no-store\r\n",
		"\r\nContent-Security-Policy: default-src 'none';",
		"\r\nX-Content-Type-Options: nosniff\r\n",
		"\r\nReferrer-Policy: no-referrer\r\n", "\r\nContent-Type: " };
	char *reply = ask(server, row->request);
	const char *body = strstr(reply, "\r\n\r\n");
	char type[128];

	row_check(status_of(reply) == 200 && body != NULL, "%s: %s", row->name,
		reply);
	snprintf(type, sizeof(type), "\r\nContent-Type: %s\r\n", row->type);
	row_check(strstr(reply, type) != NULL, "%s: %s", row->name, reply);
	for (size_t i = 0; i < ROWS(once); i++)
		row_check(times_in(reply, once[i]) == 1, "%s: %s: %s",
			row->name, once[i], reply);
	row_check(row->body == NULL ? body[4] == '\0'
				    : strcasestr(body, row->body) != NULL,
		"%s: %s", row->name, reply);
	free(reply);
}

/* The report of the finding by its name, cleaned, and of none by any other. */
static void
check_report(struct web_server *server, const struct tree *tree)
{
	const struct finding *f = findings_at(server->engine, 0);
	char request[160], name[300], *reply;

	snprintf(name, sizeof(name), "out/%s/report.txt", f->folder);
	assert_true(tree_has(tree, name));
	tree_text(tree, name, "<b>\n\033[31m\n");
	snprintf(request, sizeof(request),
		"GET /findings/%s HTTP/1.1\r\n" HOST END, f->id);
	reply = ask(server, request);
	assert_int_equal(status_of(reply), 200);
	assert_non_null(strstr(reply, "\r\nContent-Type: text/plain; "));
	assert_non_null(strstr(reply, "\r\n\r\n<b>\n\\x1b[31m\n"));
	free(reply);
	snprintf(request, sizeof(request),
		"GET /findings/%sx HTTP/1.1\r\n" HOST END, f->id);
	reply = ask(server, request);
	assert_int_equal(status_of(reply), 404);
	free(reply);
}

/* More than a snapshot has. */
static void
add_newer_findings(struct engine *e)
{
	struct failure failure = { .kind = FAILURE_ERROR, .what = "bad" };

	for (uint64_t hash = 1; hash <= 200; hash++)
		findings_add(e, finding_create(&failure, hash));
}

static void
test_good(void **state)
{
	struct web_server server;
	struct error err = { 0 };

	web_server_open(&server, *state, "crash", few);
	assert_int_equal(whole_engine_run(server.engine, &err), EXIT_FOUND);
	assert_true(web_server_listen(&server, "127.0.0.1"));
	assert_non_null(strstr(server.lines, "shown at http://127.0.0.1:"));
	assert_null(strstr(server.lines, "token="));
	web_server_tick(&server);
	for (size_t i = 0; i < ROWS(GOOD); i++)
		check_good(&server, &GOOD[i]);
	check_report(&server, *state);
	add_newer_findings(server.engine);
	check_report(&server, *state);
	web_server_close(&server);
}

/* ---- wrong requests ------------------------------------------------------- */

/* clang-format off */
static const struct bad_row {
	const char *name, *request;
	int status;
	const char *more; /* sent so often before the end */
	size_t times;
} BAD[] = {
	{ "the host of another", "GET / HTTP/1.1\r\nHost: evil.example\r\n" END, 421, NULL, 0 },
	{ "our name in a longer one", "GET /stats.json HTTP/1.1\r\nHost: localhost.evil\r\n" END, 421, NULL, 0 },
	{ "no host", "GET / HTTP/1.1\r\n" END, 421, NULL, 0 },
	{ "POST", "POST /metrics HTTP/1.1\r\n" HOST "Content-Length: 0\r\n" END, 501, NULL, 0 },
	{ "PUT", "PUT / HTTP/1.1\r\n" HOST END, 501, NULL, 0 },
	{ "an unknown method", "FETCH / HTTP/1.1\r\n" HOST END, 501, NULL, 0 },
	{ "an unknown path", GET("/nothing"), 404, NULL, 0 },
	{ "no finding's name", GET("/findings/"), 404, NULL, 0 },
	{ "a path out of the folder", GET("/findings/../stats.json"), 404, NULL, 0 },
	{ "the same, encoded", GET("/findings/%2e%2e%2fstats.json"), 404, NULL, 0 },
	{ "a file of the output directory", GET("/journal.jsonl"), 404, NULL, 0 },
	{ "no HTTP", "hello\r\n" END, 400, NULL, 0 },
	{ "an unknown version", "GET / HTTP/x\r\n" HOST END, 400, NULL, 0 },
	{ "a header without a name", "GET / HTTP/1.1\r\n" HOST "x\r\n" END, 400, NULL, 0 },
	{ "many headers", "GET / HTTP/1.1\r\n" HOST, 400, "A: b\r\n", 4000 },
	{ "a long line", "GET /", 400, "aaaaaaaaaa", 2000 },
	{ "a body", "GET /metrics HTTP/1.1\r\n" HOST "Content-Length: 9999\r\n" END, 413, NULL, 0 },
};
/* clang-format on */

static void
check_bad(struct web_server *server, const struct bad_row *row)
{
	size_t start = strlen(row->request);
	size_t len = row->more != NULL ? strlen(row->more) : 0;
	char *request = calloc(1, start + row->times * len + sizeof(END));
	char *reply;

	memcpy(request, row->request, start);
	for (size_t i = 0; i < row->times; i++)
		memcpy(request + start + i * len, row->more, len);
	if (row->times > 0)
		memcpy(request + start + row->times * len, END, sizeof(END));
	reply = ask(server, request);
	row_check(status_of(reply) == row->status, "%s: %s", row->name, reply);
	row_check(strstr(reply, "\"execs\"") == NULL &&
			strcasestr(reply, "<!doctype html>\n<html lang") ==
				NULL,
		"%s: %s", row->name, reply);
	row_check(strstr(reply, "\r\n\r\n") != NULL &&
			strstr(reply, "\r\n\r\n")[4] != '\0',
		"%s: no reason: %s", row->name, reply);
	free(reply);
	free(request);
}

static void
test_bad(void **state)
{
	struct web_server server;

	web_server_open(&server, *state, "good", plain);
	assert_true(web_server_listen(&server, "127.0.0.1"));
	for (size_t i = 0; i < ROWS(BAD); i++)
		check_bad(&server, &BAD[i]);
	web_server_close(&server);
}

/* ---- tokens --------------------------------------------------------------- */

/* clang-format off */
static const struct token_row {
	const char *name, *request;
	int status;
} TOKENS[] = {
	{ "none", GET("/metrics"), 401 },
	{ "none, for statistics", GET("/stats.json"), 401 },
	{ "none, for the series", GET("/series.json"), 401 },
	{ "none, for the journal", GET("/events"), 401 },
	{ "none, for a report", GET("/findings/x"), 401 },
	{ "none, for nothing", GET("/nothing"), 401 },
	{ "none, for the page, which has no data", GET("/"), 200 },
	{ "none, under another name of the host", "GET / HTTP/1.1\r\nHost: any.example\r\n" END, 200 },
	{ "a wrong one in a header", "GET /metrics HTTP/1.1\r\n" HOST BEARER("0123456789abcdefg") END, 401 },
	{ "a part of it", "GET /metrics HTTP/1.1\r\n" HOST BEARER("0123456789abcdef") END, 401 },
	{ "the right one in a header", "GET /metrics HTTP/1.1\r\n" HOST BEARER(TOKEN) END, 200 },
	{ "as a password", "GET /metrics HTTP/1.1\r\n" HOST "Authorization: Basic " TOKEN "\r\n" END, 401 },
	{ "a wrong one in a query", GET("/metrics?token=0123456789abcdefg"), 401 },
	{ "the right one in a query", GET("/metrics?token=" TOKEN), 200 },
	{ "a wrong header, a right query", "GET /metrics?token=" TOKEN " HTTP/1.1\r\n" HOST BEARER("x") END, 401 },
};
/* clang-format on */

static void
test_tokens(void **state)
{
	struct web_server server;
	char *reply;

	setenv("CFUZZ_HTTP_TOKEN", TOKEN, 1);
	web_server_open(&server, *state, "good", plain);
	assert_true(web_server_listen(&server, "0.0.0.0"));
	assert_non_null(strstr(server.lines, "/?token=" TOKEN "\n"));
	for (size_t i = 0; i < ROWS(TOKENS); i++) {
		reply = ask(&server, TOKENS[i].request);
		row_check(status_of(reply) == TOKENS[i].status, "%s: %s",
			TOKENS[i].name, reply);
		free(reply);
	}
	/* The target must not know it. */
	for (char **v = server.engine->target.envp; *v != NULL; v++)
		row_check(strstr(*v, TOKEN) == NULL, "%s", *v);
	web_server_close(&server);
	unsetenv("CFUZZ_HTTP_TOKEN");
}

static const char *const RANDOM[] = { NULL, "" };

/* Without a token of the user's a random one is made, each time another. */
static void
test_random(void **state)
{
	char before[WEB_TOKEN_SIZE] = "";
	struct web_server server;

	web_server_open(&server, *state, "good", plain);
	for (size_t i = 0; i < ROWS(RANDOM); i++) {
		unsetenv("CFUZZ_HTTP_TOKEN");
		if (RANDOM[i] != NULL)
			setenv("CFUZZ_HTTP_TOKEN", RANDOM[i], 1);
		assert_true(web_server_listen(&server, "0.0.0.0"));
		assert_int_equal(strlen(server.web->token), 32);
		assert_string_not_equal(server.web->token, before);
		strcpy(before, server.web->token);
		web_destroy(server.web);
		server.engine->front.web = NULL;
	}
	unsetenv("CFUZZ_HTTP_TOKEN");
	web_server_close(&server);
}

/* ---- addresses ------------------------------------------------------------ */

/* clang-format off */
static const struct address_row {
	const char *http, *why;
} ADDRESSES[] = {
	{ "x", "--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, not x" },
	{ "70000", "--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, not 70000" },
	{ ":80", "--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, not :80" },
	{ "0", "--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, not 0" },
	{ "127.0.0.1:0", "--http: write PORT or ADDRESS:PORT, a port from 1 to 65535, not 127.0.0.1:0" },
	{ "1.2.3:80", "--http: 1.2.3:80 is not the address of a network interface" },
	{ "host.example:80", "--http: host.example:80 is not the address of a network interface" },
	{ "[1:2]:80", "--http: [1:2]:80 is not the address of a network interface" },
	{ "192.0.2.1:8080", "--http: 192.0.2.1:8080: Cannot assign requested address" },
};
/* clang-format on */

static void
check_refused(struct engine *e, const char *http, const char *why)
{
	struct error err = { 0 };
	struct web *web;

	assert_int_equal(settings_set(engine_change_settings(e), "http", http,
				 ORIGIN_FLAG, &err),
		OK);
	row_check(web_create(&web, e, &err) != OK && web == NULL, "%s", http);
	row_check(strcmp(err.text, why) == 0, "%s: %s", http, err.text);
}

static void
test_addresses(void **state)
{
	struct web_server server;
	struct web *web;
	struct error err = { 0 };
	char http[32], why[96];

	web_server_open(&server, *state, "good", plain);
	assert_int_equal(web_create(&web, server.engine, &err), OK);
	assert_null(web);
	web_begin(web);
	web_tick(web, 0);
	web_destroy(web);
	for (size_t i = 0; i < ROWS(ADDRESSES); i++)
		check_refused(server.engine, ADDRESSES[i].http,
			ADDRESSES[i].why);
	setenv("CFUZZ_HTTP_TOKEN", "short", 1);
	check_refused(server.engine, "0.0.0.0:80",
		"--http: CFUZZ_HTTP_TOKEN needs 16 to 32 letters, digits and "
		"-._~");
	unsetenv("CFUZZ_HTTP_TOKEN");
	assert_true(web_server_listen(&server, "127.0.0.1"));
	snprintf(http, sizeof(http), "127.0.0.1:%u", server.port);
	snprintf(why, sizeof(why), "--http: %s: Address already in use", http);
	check_refused(server.engine, http, why);
	web_server_close(&server);
}

static void
test_ipv6(void **state)
{
	struct web_server server;

	web_server_open(&server, *state, "good", plain);
	if (web_server_listen(&server, "[::1]")) {
		assert_true(server.web->loopback);
		assert_non_null(strstr(server.lines, "shown at http://[::1]:"));
	}
	web_server_close(&server);
}

/* ---- descriptors ---------------------------------------------------------- */

/* Takes all descriptors below the highest open one; returns the next. */
static int
fill_gaps(void)
{
	int highest = 255, fd;

	while (fcntl(highest, F_GETFD) < 0)
		highest--;
	do {
		fd = dup(0);
		assert_true(fd >= 0);
	} while (fd < highest);
	close(fd);
	return fd;
}

/* So many more descriptors may be opened. */
static struct rlimit
leave_descriptors(unsigned n)
{
	struct rlimit old, low;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = old;
	low.rlim_cur = (rlim_t)fill_gaps() + n;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	return old;
}

/* All that can happen without a tick of the engine. */
static void
settle(struct web_server *server)
{
	for (int i = 0; i < 10; i++)
		event_base_loop(server->engine->base, EVLOOP_NONBLOCK);
}

/*
 * Connections leave the workers their descriptors; later they are taken. The
 * engine's writer opens no file meanwhile: it waits for its next work.
 */
static void
test_descriptors(void **state)
{
	/* Few: one is taken, no more. One, which the reader has: none. */
	static const unsigned LEFT[] = { 6, 1, 1 };
	struct web_server server;
	struct web_reader first, second;
	struct rlimit old;

	web_server_open(&server, *state, "good", plain);
	assert_true(web_server_listen(&server, "127.0.0.1"));
	(void)store_finish(server.engine->store, TREE_DISK_MS, NULL, NULL);
	for (size_t i = 0; i < ROWS(LEFT); i++) {
		settle(&server); /* closes what the last row has left open */
		old = leave_descriptors(LEFT[i]);
		web_reader_open(&first, &server, GET("/"));
		settle(&server);
		setrlimit(RLIMIT_NOFILE, &old);
		web_reader_open(&second, &server, GET("/metrics"));
		if (LEFT[i] > 1)
			assert_int_equal(status_of(web_reader_reply(&first)),
				200);
		settle(&server);
		assert_string_equal(second.text, "");
		web_server_tick(&server);
		assert_int_equal(status_of(web_reader_reply(&first)), 200);
		assert_int_equal(status_of(web_reader_reply(&second)), 200);
		web_reader_close(&first);
		web_reader_close(&second);
	}
	web_server_close(&server);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_good),
		ROW(test_bad),
		ROW(test_tokens),
		ROW(test_random),
		ROW(test_addresses),
		ROW(test_ipv6),
		ROW(test_descriptors),
	};

	fake_worker_main(argv);
	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
