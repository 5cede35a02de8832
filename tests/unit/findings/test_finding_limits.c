/* The options with which a finding failed, and those that it needs to fail. */
#include "findings/finding_limits.h"

#include <stdio.h>
#include <string.h>

#include "lib/rows.h"

#define HANG FAILURE_HANG, "hang"
#define OOM FAILURE_OOM, "oom"
#define TOO_BIG FAILURE_SANITIZER, "allocation-size-too-big"
#define EXIT FAILURE_EXIT, "exit 3"
#define FILE_SIZE FAILURE_KILLED, "SIGXFSZ"
#define CRASH FAILURE_SIGNAL, "SIGSEGV"
#define ALL \
	"\"timeout\":\"100ms\",\"rss-limit\":\"64M\",\"max-len\":\"9\"," \
	"\"file-limit\":\"1M\",\"clean-env\":\"off\",\"fail-on-exit\":\"" \
	"on\""

/* clang-format off */
static const struct {
	const char *name, *limits; /* NULL: crash.json has none */
	enum failure_kind kind;
	const char *what;
	const char *option, *value; /* of now; NULL: the defaults */
	const char *needed;
} NEEDED[] = {
	{ "unknown limits", NULL, HANG, NULL, NULL, "" },
	{ "a time limit", ALL, HANG, NULL, NULL, "--timeout 100ms" },
	{ "the same one", ALL, HANG, "timeout", "100ms", "" },
	{ "a lower one now", ALL, HANG, "timeout", "99ms", "" },
	{ "no valid one", "\"timeout\":\"0\"", HANG, NULL, NULL, "" },
	{ "no text", "\"timeout\":100", HANG, NULL, NULL, "" },
	{ "a memory limit", ALL, OOM, NULL, NULL, "--rss-limit 64M" },
	{ "none now", ALL, OOM, "rss-limit", "0", "--rss-limit 64M" },
	{ "one now", "\"rss-limit\":\"0\"", OOM, NULL, NULL, "" },
	{ "none, as before", "\"rss-limit\":\"0\"", OOM, "rss-limit", "0", "" },
	{ "that a sanitizer sees", ALL, TOO_BIG, NULL, NULL, "--rss-limit 64M" },
	{ "a limit of files", ALL, FILE_SIZE, NULL, NULL, "--file-limit 1M" },
	{ "an exit status", ALL, EXIT, NULL, NULL, "--fail-on-exit" },
	{ "that counts now", ALL, EXIT, "fail-on-exit", "on", "" },
	{ "that counts without", "\"fail-on-exit\":\"off\"", EXIT, NULL, NULL,
		"" },
	{ "a crash", ALL, CRASH, NULL, NULL, "" },
	{ "in another environment", ALL, CRASH, "clean-env", "on",
		"--no-clean-env" },
	{ "in a clean one", "\"clean-env\":\"on\"", CRASH, NULL, NULL,
		"--clean-env" },
	{ "two of them", ALL, HANG, "clean-env", "on",
		"--timeout 100ms --no-clean-env" },
};
/* clang-format on */

static void
test_needed(void **state)
{
	for (size_t i = 0; i < ROWS(NEEDED); i++) {
		struct failure failure = { .kind = NEEDED[i].kind };
		struct settings settings;
		char text[256], got[64];
		json_t *limits;

		snprintf(text, sizeof(text), "{%s}",
			NEEDED[i].limits != NULL ? NEEDED[i].limits : "");
		limits = NEEDED[i].limits != NULL ? json_loads(text, 0, NULL)
						  : NULL;
		snprintf(failure.what, sizeof(failure.what), "%s",
			NEEDED[i].what);
		settings_init(&settings);
		row_check(NEEDED[i].option == NULL ||
				settings_set(&settings, NEEDED[i].option,
					NEEDED[i].value, ORIGIN_FLAG,
					NULL) == OK,
			"%s", NEEDED[i].name);
		finding_limits_needed(&settings, limits, &failure, got,
			sizeof(got));
		row_check(strcmp(got, NEEDED[i].needed) == 0, "%s: `%s`",
			NEEDED[i].name, got);
		finding_limits_needed(&settings, limits, &failure, got, 5);
		row_check(strncmp(got, NEEDED[i].needed, 4) == 0 &&
				strlen(got) <= 4,
			"%s, cut: `%s`", NEEDED[i].name, got);
		settings_clear(&settings);
		json_decref(limits);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
