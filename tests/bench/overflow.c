/*
 * overflow: a reader of records with a heap overflow in it, for minimizers.
 *
 * A file is "REC1" and records: a kind, a length of two bytes, so many bytes.
 * 'D' says how large a picture is, 'P' fills it with runs, and a run that is
 * too long is written past its end. Records that do not fit end the file.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct picture {
	uint8_t *pixels;
	size_t size, at;
	uint8_t palette[256];
	uint32_t comments;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_size(struct picture *p, const uint8_t *data, size_t len)
{
	if (len < 2 || p->pixels != NULL)
		return;
	p->size = (size_t)data[0] * data[1] + 1;
	p->pixels = calloc(1, p->size);
}

static void
read_runs(struct picture *p, const uint8_t *data, size_t len)
{
	size_t i, n;

	if (p->pixels == NULL)
		return;
	for (i = 0; i + 1 < len; i += 2)
		for (n = data[i]; n > 0; n--)
			p->pixels[p->at++] = p->palette[data[i + 1]];
}

static void
read_record(struct picture *p, uint8_t kind, const uint8_t *data, size_t len)
{
	switch (kind) {
	case 'D':
		read_size(p, data, len);
		break;
	case 'C':
		memcpy(p->palette, data, len < 256 ? len : 256);
		break;
	case 'P':
		read_runs(p, data, len);
		break;
	case 'T':
		p->comments++;
		break;
	default:
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct picture p = { .at = 0 };
	size_t len;

	if (size < 4 || memcmp(data, "REC1", 4) != 0)
		return 0;
	for (data += 4, size -= 4; size >= 3; data += len, size -= len) {
		uint8_t kind = data[0];

		len = data[1] | (size_t)data[2] << 8;
		data += 3;
		size -= 3;
		if (len > size)
			break;
		read_record(&p, kind, data, len);
	}
	free(p.pixels);
	return 0;
}
