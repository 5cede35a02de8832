/*
 * metrics: a snapshot in the text format of Prometheus (version 0.0.4).
 */
#ifndef CFUZZ_ENGINE_WEB_METRICS_H
#define CFUZZ_ENGINE_WEB_METRICS_H

#include <event2/buffer.h>

#include "control/snapshot.h"

/* Appends to the buffer. Names follow
 * https://prometheus.io/docs/practices/naming: base units, and _total for what
 * only grows. */
void metrics_write(const struct snapshot *snapshot, struct evbuffer *to);

#endif
