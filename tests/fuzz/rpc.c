/* rpc: lines between engine and worker, in both directions. */
#include "shared/wire/rpc.h"
#include "fuzz/fuzz.h"

int fuzz_rpc(const uint8_t *data, size_t size);

static void
rpc_fuzz_request(const char *line, size_t len)
{
	struct rpc_request request, again;
	struct error err = { 0 };
	char text[RPC_LINE_MAX];
	size_t n;

	if (rpc_decode_request(line, len, &request, &err) != OK)
		return;
	if (rpc_encode_request(&request, text, sizeof(text), &n, &err) != OK)
		return;
	FUZZ_CHECK(rpc_decode_request(text, n - 1, &again, &err) == OK);
	FUZZ_CHECK(again.kind == request.kind && again.seq == request.seq);
}

static void
rpc_fuzz_reply(const char *line, size_t len, enum rpc_kind kind)
{
	static struct rpc_reply reply;
	struct error err = { 0 };

	if (rpc_decode_reply(line, len, kind, &reply, &err) == OK)
		FUZZ_CHECK(reply.failure.frames_n <= FAILURE_FRAMES_MAX);
}

int
fuzz_rpc(const uint8_t *data, size_t size)
{
	char *line;

	if (size == 0)
		return 0;
	line = fuzz_text(data + 1, size - 1);
	if (data[0] == '?')
		rpc_fuzz_request(line, size - 1);
	else
		rpc_fuzz_reply(line, size - 1,
			data[0] == 'p'           ? RPC_PING
				: data[0] == 'm' ? RPC_MINIMIZE
						 : RPC_FUZZ);
	free(line);
	return 0;
}

FUZZ_TARGET(rpc)
