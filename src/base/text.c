/*
 * text: the one sanitiser, and numbers for people, see text.h.
 *
 * The sanitiser splits its input into pieces: a character, or a byte that is
 * not UTF-8. Each piece is either copied or written in a visible form;
 * utf8_width() alone decides.
 */

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8_width.h"
#include "base/xmalloc.h"

#define TEXT_PIECE_SIZE 16 /* the longest visible form is `\u{10ffff}` */
#define TEXT_MARKS_MAX 3   /* combining marks on one letter */

#define TEXT_MINUTE_S 60u
#define TEXT_HOUR_S 3600u
#define TEXT_DAY_S 86400u

/* ---- the sanitiser ------------------------------------------------------ */

/* Combining marks that the last character may still have. */
struct text_state {
	unsigned marks_left;
};

static size_t
text_control(uint8_t byte, char piece[TEXT_PIECE_SIZE])
{
	static const char *const
		names[] = { ['\t'] = "\\t", ['\n'] = "\\n", ['\r'] = "\\r" };
	size_t n = sizeof(names) / sizeof(names[0]);

	if (byte < n && names[byte])
		return (size_t)snprintf(piece, TEXT_PIECE_SIZE, "%s",
			names[byte]);
	return (size_t)snprintf(piece, TEXT_PIECE_SIZE, "\\x%02x", byte);
}

static bool
text_may_pass(struct text_state *state, uint32_t code)
{
	int width = utf8_width(code);

	if (width > 0) {
		state->marks_left = code == ' ' ? 0 : TEXT_MARKS_MAX;
		return true;
	}
	if (width == 0 && state->marks_left) {
		state->marks_left--;
		return true;
	}
	state->marks_left = 0;
	return false;
}

/*
 * Takes the next piece of src, at least one byte, and makes its clean form.
 * Returns the bytes taken.
 */
static size_t
text_piece(struct text_state *state, const uint8_t *src, size_t len,
	char piece[TEXT_PIECE_SIZE], size_t *piece_len)
{
	uint32_t code;
	size_t taken = utf8_decode(src, len, &code);

	if (taken == 0) {
		state->marks_left = 0;
		*piece_len = text_control(src[0], piece);
		return 1;
	}
	if (text_may_pass(state, code)) {
		memcpy(piece, src, taken);
		*piece_len = taken;
	} else if (code < 0x80) {
		*piece_len = text_control((uint8_t)code, piece);
	} else {
		*piece_len = (size_t)snprintf(piece, TEXT_PIECE_SIZE,
			code > 0xffff ? "\\u{%" PRIx32 "}" : "\\u%04" PRIx32,
			code);
	}
	return taken;
}

size_t
text_clean(const void *src, size_t len, char *dst, size_t size)
{
	struct text_state state = { 0 };
	const uint8_t *next = src;
	char piece[TEXT_PIECE_SIZE];
	size_t piece_len, out = 0;

	if (size == 0)
		return 0;
	while (len) {
		size_t taken = text_piece(&state, next, len, piece, &piece_len);

		if (piece_len > size - 1 - out)
			break;
		memcpy(dst + out, piece, piece_len);
		out += piece_len;
		next += taken;
		len -= taken;
	}
	dst[out] = '\0';
	return out;
}

size_t
text_clean_string(const char *src, char *dst, size_t size)
{
	return text_clean(src, strlen(src), dst, size);
}

char *
text_clean_dup(const void *src, size_t len)
{
	struct text_state state = { 0 };
	const uint8_t *bytes = src;
	char piece[TEXT_PIECE_SIZE];
	size_t piece_len, total = 1;
	char *dst;

	for (size_t i = 0; i < len; total += piece_len)
		i += text_piece(&state, bytes + i, len - i, piece, &piece_len);
	dst = xmalloc(total);
	text_clean(src, len, dst, total);
	return dst;
}

char *
text_clean_lines(const void *src, size_t len)
{
	struct text_state state = { 0 };
	const uint8_t *bytes = src;
	char piece[TEXT_PIECE_SIZE], *dst = xmalloc(len * TEXT_PIECE_SIZE + 1);
	size_t piece_len, n = 0, i = 0;

	while (i < len) {
		if (bytes[i] == '\n' || bytes[i] == '\t') {
			dst[n++] = bytes[i++] == '\n' ? '\n' : ' ';
			state = (struct text_state){ 0 };
			continue;
		}
		i += text_piece(&state, bytes + i, len - i, piece, &piece_len);
		memcpy(dst + n, piece, piece_len);
		n += piece_len;
	}
	dst[n] = '\0';
	return xrealloc(dst, n + 1);
}

/* ---- columns ------------------------------------------------------------ */

/* One character of cleaned text; its columns in *width. */
static size_t
text_step(const char *text, size_t len, size_t *width)
{
	uint32_t code;
	size_t taken = utf8_decode(text, len, &code);
	int columns;

	*width = 1;
	if (taken == 0)
		return 1;
	columns = utf8_width(code);
	if (columns >= 0)
		*width = (size_t)columns;
	return taken;
}

size_t
text_width(const char *text)
{
	size_t len = strlen(text), total = 0, width;

	for (size_t i = 0; i < len; total += width)
		i += text_step(text + i, len - i, &width);
	return total;
}

size_t
text_fit(const char *text, size_t columns)
{
	size_t len = strlen(text), i = 0, width;

	while (i < len) {
		size_t taken = text_step(text + i, len - i, &width);

		if (width > columns)
			break;
		columns -= width;
		i += taken;
	}
	return i;
}

/* ---- numbers ------------------------------------------------------------ */

const char *
text_count(uint64_t value, char buf[TEXT_NUMBER_SIZE])
{
	char digits[TEXT_NUMBER_SIZE];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, value);
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[out++] = ' ';
		buf[out++] = digits[i];
	}
	buf[out] = '\0';
	return buf;
}

/*
 * Three digits and a letter. A unit ends where rounding would give a fourth
 * digit, so 999.7 is "1.0 k".
 */
static void
text_scale(double value, double step, const char *unit,
	char buf[TEXT_NUMBER_SIZE])
{
	static const char letters[] = "\0kMGTPEZY";
	size_t i = 0;

	if (!(value > 0))
		value = 0;
	while (value >= step - 0.5 && i < sizeof(letters) - 2) {
		value /= step;
		i++;
	}
	if (value > 9999)
		value = 9999;
	snprintf(buf, TEXT_NUMBER_SIZE, "%.*f%s%.1s%s",
		value < 99.95 && (i || value != floor(value)) ? 1 : 0, value,
		i || *unit ? " " : "", &letters[i], unit);
}

const char *
text_short(double value, char buf[TEXT_NUMBER_SIZE])
{
	text_scale(value, 1000, "", buf);
	return buf;
}

const char *
text_rate(double per_s, char buf[TEXT_NUMBER_SIZE])
{
	text_scale(per_s, 1000, "/s", buf);
	return buf;
}

const char *
text_bytes(uint64_t len, char buf[TEXT_NUMBER_SIZE])
{
	if (len < 1024)
		snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu64 " B", len);
	else
		text_scale((double)len, 1024, "", buf);
	return buf;
}

/* Whole seconds; 0 for NaN and negative numbers; capped against overflow. */
static uint64_t
text_whole_seconds(double seconds)
{
	if (!(seconds > 0))
		return 0;
	return seconds < 1e15 ? (uint64_t)seconds : (uint64_t)1e15;
}

const char *
text_clock(double seconds, char buf[TEXT_NUMBER_SIZE])
{
	uint64_t s = text_whole_seconds(seconds);
	uint64_t days = s / TEXT_DAY_S;
	char prefix[24] = "";

	if (days)
		snprintf(prefix, sizeof(prefix), "%" PRIu64 "d ", days);
	snprintf(buf, TEXT_NUMBER_SIZE, "%s%02u:%02u:%02u", prefix,
		(unsigned)(s % TEXT_DAY_S / TEXT_HOUR_S),
		(unsigned)(s % TEXT_HOUR_S / TEXT_MINUTE_S),
		(unsigned)(s % TEXT_MINUTE_S));
	return buf;
}

const char *
text_clock_fit(double seconds, int width, char buf[TEXT_NUMBER_SIZE])
{
	uint64_t s = text_whole_seconds(seconds);
	int days;

	text_clock(seconds, buf);
	if (s < TEXT_DAY_S || (int)strlen(buf) <= width)
		return buf;
	days = snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu64 "d", s / TEXT_DAY_S);
	if (days + 5 <= width)
		snprintf(buf + days, TEXT_NUMBER_SIZE - (size_t)days,
			"%02u:%02u", (unsigned)(s % TEXT_DAY_S / TEXT_HOUR_S),
			(unsigned)(s % TEXT_HOUR_S / TEXT_MINUTE_S));
	return buf;
}

const char *
text_elapsed(uint64_t ns, char buf[TEXT_NUMBER_SIZE])
{
	uint64_t s = ns / 1000000000u + (ns % 1000000000u >= 500000000u);
	uint64_t hours = s / TEXT_HOUR_S;
	unsigned minutes = (unsigned)(s % TEXT_HOUR_S / TEXT_MINUTE_S);
	unsigned seconds = (unsigned)(s % TEXT_MINUTE_S);

	if (hours)
		snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu64 "h%um%us", hours,
			minutes, seconds);
	else if (minutes)
		snprintf(buf, TEXT_NUMBER_SIZE, "%um%us", minutes, seconds);
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%us", seconds);
	return buf;
}

size_t
text_quote(const char *word, char *dst, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+:@%,=-";
	bool quoted = word[strspn(word, plain)] != '\0' || word[0] == '\0';
	size_t n = 0;

	if (size < 3) {
		if (size > 0)
			dst[0] = '\0';
		return 0;
	}
	if (quoted)
		dst[n++] = '\'';
	/* Room for the longest form, the closing quote and the zero byte. */
	for (; *word != '\0' && n + 6 <= size; word++) {
		if (*word == '\'') {
			memcpy(dst + n, "'\\''", 4);
			n += 4;
		} else {
			dst[n++] = *word;
		}
	}
	if (quoted)
		dst[n++] = '\'';
	dst[n] = '\0';
	return n;
}

static bool
text_is_clean(const char *text)
{
	char *clean = text_clean_dup(text, strlen(text));
	bool same = strcmp(text, clean) == 0;

	free(clean);
	return same;
}

size_t
text_quote_shown(const char *word, char *dst, size_t size)
{
	size_t n = 2;

	if (size < 4 || text_is_clean(word))
		return text_quote(word, dst, size);
	memcpy(dst, "$'", 2);
	for (; *word != '\0' && n + 6 <= size; word++) {
		unsigned char c = (unsigned char)*word;

		if (c < ' ' || c > '~') {
			n += (size_t)snprintf(dst + n, size - n, "\\%03o", c);
			continue;
		}
		if (c == '\'' || c == '\\')
			dst[n++] = '\\';
		dst[n++] = (char)c;
	}
	dst[n++] = '\'';
	dst[n] = '\0';
	return n;
}
