/* report_html: the parts of report_html.c. */
#ifndef CFUZZ_CLI_REPORT_REPORT_HTML_H
#define CFUZZ_CLI_REPORT_REPORT_HTML_H

#include "cli/report/report.h"

/* Bounds of the findings and of the sources in the page, in bytes. The element
 * that reaches a bound is still written. */
#define REPORT_HTML_FINDINGS 2500000
#define REPORT_HTML_SOURCES 2000000

void report_html_findings(const json_t *findings, FILE *to);
/* Coverage by source file, of "sources" or "no_sources". */
void report_html_sources(const json_t *report, FILE *to);

#endif
