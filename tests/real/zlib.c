/*
 * zlib: zlib as a target. A gzip file is read in small pieces, and its
 * header's extra field into little room.
 */
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PIECE 8
#define EXTRA 16

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	z_stream stream = { .next_in = NULL };
	gz_header header = { .extra = malloc(EXTRA), .extra_max = EXTRA };
	uint8_t out[256];
	int status = Z_OK;

	if (header.extra == NULL || inflateInit2(&stream, 15 + 16) != Z_OK) {
		free(header.extra);
		return 0;
	}
	(void)inflateGetHeader(&stream, &header);
	while (size > 0 && status == Z_OK) {
		stream.next_in = (Bytef *)(uintptr_t)data;
		stream.avail_in = size < PIECE ? (uInt)size : PIECE;
		data += stream.avail_in;
		size -= stream.avail_in;
		do {
			stream.next_out = out;
			stream.avail_out = sizeof(out);
			status = inflate(&stream, Z_NO_FLUSH);
		} while (status == Z_OK && stream.avail_out == 0);
	}
	(void)inflateEnd(&stream);
	free(header.extra);
	return 0;
}
