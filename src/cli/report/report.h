/*
 * report: the formats of `cfuzz report`.
 *
 * Each function writes the JSON of engine_report() to a stream; "sources" in it
 * is that of engine_report_sources(), or "no_sources" says why there is none.
 * All its texts are clean, but a target or an input may have chosen them:
 * characters with a meaning in a format are escaped. The caller checks the
 * stream for errors.
 */
#ifndef CFUZZ_CLI_REPORT_REPORT_H
#define CFUZZ_CLI_REPORT_REPORT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

/* One page without scripts and without files from elsewhere. */
void report_html(const json_t *report, FILE *to);
/* The tracefile of lcov: lines and functions of "sources". */
void report_lcov(const json_t *report, FILE *to);
/* SARIF 2.1.0 (OASIS): a result per finding, with a code flow. Without a source
 * line its place is line 1 of the target. */
void report_sarif(const json_t *report, FILE *to);
/* JUnit's XML: a test case per finding. */
void report_junit(const json_t *report, FILE *to);
/* For a bug report. */
void report_markdown(const json_t *report, FILE *to);
/* The same for the summary of a job of GitHub Actions, which is lost if it has
 * more than 1 MiB; used: the bytes that the summary has already. Findings for
 * which there is no room, and those with an excuse, are one line each. */
void report_summary(const json_t *report, size_t used, FILE *to);
/* Annotations of GitHub Actions, for standard output. */
void report_github(const json_t *report, FILE *to);

/* ---- report_text.c: texts of a finding ---- */

/* A place in a source file; the function belongs to the finding's JSON. */
struct report_place {
	char path[PATH_MAX]; /* of report_path() */
	const char *function;
	json_int_t line; /* 0: unknown */
};

/* Frame i, from 0, the innermost; an inlined call is a frame, too. path and
 * function may be "". False: there are no more. */
bool report_frame(const json_t *finding, size_t i, struct report_place *place);
/* The innermost frame with a source line below the present folder, which may be
 * a repository: GitHub shows no other file. If there is none, the innermost frame
 * with a source line. False: there is none either. */
bool report_place(const json_t *finding, struct report_place *place);
/* Makes a path below the present folder relative to it: debug information may
 * know it by way of a link or "..". Writes to buf and returns it. */
const char *report_path(const char *path, char buf[PATH_MAX]);
/* "crash: SIGSEGV in parse a.c:4" in at most size bytes. */
void report_title(const json_t *finding, char *text, size_t size);
/* Has it failed with the build of the latest run? Else it is fixed, or has not
 * been replayed with that build. */
bool report_is_of_this_build(const json_t *finding);
/* The same, and the user has not accepted it. */
bool report_is_open(const json_t *finding);
/*
 * Why the finding is no failure of the report: "accepted", "fixed", "not seen".
 * "known": it is open, but the latest run was of `cfuzz ci`, which passes over
 * it. NULL: it is a failure.
 */
const char *report_excuse(const json_t *finding);
/* "confirmed", "known, fixed", "flaky, known" in at most size bytes. */
void report_state(const json_t *finding, char *text, size_t size);

/* Text of an element or a quoted attribute, in HTML and XML. */
void report_put_xml(FILE *to, const char *text);
/* Lines of hex and letters from the finding's "data", at most max bytes of it,
 * rounded up to 16. put writes the letters, escaped for the format. */
void report_put_dump(FILE *to, const json_t *finding, size_t max,
	void (*put)(FILE *to, const char *text));

#endif
