/*
 * web: the campaign by HTTP, for browsers and for Prometheus.
 *
 * Only GET and HEAD are answered, and nothing can be changed. On the loopback
 * interface, the default, the Host header is checked, so that no web page can
 * read the data under another name. With any other address, data need a token.
 *
 *   /              a page that shows the campaign
 *   /metrics       for Prometheus
 *   /stats.json    the file of that name, as of now
 *   /series.json   coverage and executions over time
 *   /events        server-sent events: the journal
 *   /findings/ID   the report of a finding
 */
#ifndef CFUZZ_ENGINE_WEB_WEB_H
#define CFUZZ_ENGINE_WEB_WEB_H

#include <stdint.h>

#include "shared/status.h"

struct engine;
struct web;

/*
 * Listens at the address of --http; requests are answered once the loop runs.
 * E_USAGE: the address is wrong or taken, or the token in the environment is
 * invalid; the message names it. *web is NULL without --http; all functions
 * accept that.
 */
enum status web_create(struct web **web, struct engine *e, struct error *err)
	MUST_CHECK;
void web_begin(struct web *web); /* says where it is; needs the journal */
void web_destroy(struct web *web);

/* Sends new events, takes new connections again. Each tick of the loop. */
void web_tick(struct web *web, uint64_t now);

#endif
