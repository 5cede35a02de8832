/*
 * sink: text that is built in a bounded buffer.
 *
 * Text that does not fit is counted but not kept, so len is always the size of
 * the whole text; len <= cap means that the text is complete.
 */
#ifndef CFUZZ_SHARED_SINK_H
#define CFUZZ_SHARED_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct sink {
	char *data; /* the caller's; may be NULL if cap is 0 */
	size_t cap;
	size_t len;
};

static inline void
sink_char(struct sink *sink, char c)
{
	if (sink->len < sink->cap)
		sink->data[sink->len] = c;
	sink->len++;
}

static inline void
sink_put(struct sink *sink, const char *text, size_t len)
{
	if (sink->len < sink->cap) {
		size_t room = sink->cap - sink->len;

		memcpy(sink->data + sink->len, text, len < room ? len : room);
	}
	sink->len += len;
}

static inline void
sink_text(struct sink *sink, const char *text)
{
	sink_put(sink, text, strlen(text));
}

#endif
