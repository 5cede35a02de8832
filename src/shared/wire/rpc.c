/* rpc: requests as JSON lines, see rpc.h. Replies are in rpc_reply.c. */

#include "shared/wire/rpc.h"

#include <string.h>

#include "shared/wire/rpc_json.h"

static json_t *
rpc_encode_fuzz(const struct rpc_request *q)
{
	struct rpc_writer w;

	rpc_writer_init(&w);
	rpc_put_number(&w, "Timeout", q->timeout_ns);
	rpc_put_number(&w, "Limit", q->limit);
	rpc_put_bool(&w, "Warmup", q->warmup);
	rpc_put(&w, "CoverageData", json_null());
	rpc_put_bool(&w, "Fresh", q->fresh);
	rpc_put_bool(&w, "Confirm", q->confirm);
	if (q->parent != MEMORY_NO_ENTRY)
		rpc_put_number(&w, "Parent", q->parent);
	rpc_put_number(&w, "Cap", q->cap);
	rpc_put_number(&w, "Chain", q->chain_max);
	rpc_put_bool(&w, "Draw", q->draw);
	rpc_put_bool(&w, "Profile", q->profile);
	if (q->sequence_n > 0)
		rpc_put_number(&w, "Sequence", q->sequence_n);
	return rpc_writer_steal(&w);
}

static json_t *
rpc_encode_minimize(const struct rpc_request *q)
{
	struct rpc_writer w;

	rpc_writer_init(&w);
	rpc_put_number(&w, "Timeout", q->timeout_ns);
	rpc_put_number(&w, "Limit", q->limit);
	rpc_put(&w, "KeepCoverage", json_null());
	rpc_put_number(&w, "Index", q->index);
	rpc_put_bool(&w, "WantCoverage", q->want_coverage);
	rpc_put_number(&w, "Keep", q->keep_n);
	rpc_put_bool(&w, "Profile", q->profile);
	rpc_put_hex(&w, "Signature", q->signature);
	rpc_put_number(&w, "Rule", q->rule);
	rpc_put_text(&w, "Kind", failure_kind_name(q->failure_kind), 32);
	rpc_put_text(&w, "What", q->what, sizeof(q->what));
	rpc_put_bool(&w, "Machine", q->machine);
	rpc_put_number(&w, "Tries", q->tries);
	rpc_put_number(&w, "Known", q->known_n);
	rpc_put_bool(&w, "Ask", q->ask);
	return rpc_writer_steal(&w);
}

static json_t *
rpc_encode_ping(const struct rpc_request *q)
{
	struct rpc_writer w;

	rpc_writer_init(&w);
	if (q->leaks)
		rpc_put_bool(&w, "Leaks", true);
	return rpc_writer_steal(&w);
}

static json_t *
rpc_encode_tables(const struct rpc_request *q)
{
	struct rpc_writer w;

	rpc_writer_init(&w);
	rpc_put_hex(&w, "Key", q->module.key);
	rpc_put_number(&w, "N", q->module.n);
	rpc_put_number(&w, "First", q->first);
	return rpc_writer_steal(&w);
}

enum status
rpc_encode_request(const struct rpc_request *request, char *buf, size_t size,
	size_t *len, struct error *err)
{
	struct rpc_writer w;

	rpc_writer_init(&w);
	rpc_put(&w, "Ping",
		request->kind == RPC_PING ? rpc_encode_ping(request)
					  : json_null());
	rpc_put(&w, "Fuzz",
		request->kind == RPC_FUZZ ? rpc_encode_fuzz(request)
					  : json_null());
	rpc_put(&w, "Minimize",
		request->kind == RPC_MINIMIZE ? rpc_encode_minimize(request)
					      : json_null());
	if (request->kind == RPC_TABLES)
		rpc_put(&w, "Tables", rpc_encode_tables(request));
	rpc_put_number(&w, "Seq", request->seq);
	rpc_put_hex(&w, "Nonce", request->nonce);
	return rpc_dump(rpc_writer_steal(&w), buf, size, len, err);
}

static enum status
rpc_decode_fuzz(json_t *object, struct rpc_request *q, struct error *err)
{
	struct rpc_reader r;

	rpc_reader_init(&r, object, err);
	q->timeout_ns = rpc_get_number(&r, "Timeout", UINT64_MAX);
	q->limit = rpc_get_number(&r, "Limit", UINT64_MAX);
	q->warmup = rpc_get_bool(&r, "Warmup");
	q->fresh = rpc_get_bool(&r, "Fresh");
	q->confirm = rpc_get_bool(&r, "Confirm");
	q->parent = MEMORY_NO_ENTRY;
	if (json_is_integer(json_object_get(object, "Parent")))
		q->parent = (uint32_t)rpc_get_number(&r, "Parent",
			MEMORY_NO_ENTRY - 1);
	else if (json_object_get(object, "Parent") != NULL)
		rpc_reader_fail(&r, "Parent");
	q->cap = (uint32_t)rpc_get_number(&r, "Cap", UINT32_MAX);
	q->chain_max = (uint32_t)rpc_get_number(&r, "Chain", MEMORY_TRAIL_MAX);
	q->draw = rpc_get_bool(&r, "Draw");
	q->profile = rpc_get_bool(&r, "Profile");
	q->sequence_n =
		(uint32_t)rpc_get_number(&r, "Sequence", MEMORY_SEQUENCE_MAX);
	return r.status;
}

static enum status
rpc_decode_minimize(json_t *object, struct rpc_request *q, struct error *err)
{
	struct rpc_reader r;
	char kind[32];

	rpc_reader_init(&r, object, err);
	q->timeout_ns = rpc_get_number(&r, "Timeout", UINT64_MAX);
	q->limit = rpc_get_number(&r, "Limit", UINT64_MAX);
	q->index = (uint32_t)rpc_get_number(&r, "Index", UINT32_MAX);
	q->want_coverage = rpc_get_bool(&r, "WantCoverage");
	q->keep_n = (uint32_t)rpc_get_number(&r, "Keep", MEMORY_KEEP_MAX);
	q->profile = rpc_get_bool(&r, "Profile");
	q->signature = rpc_get_hex(&r, "Signature");
	q->rule = (enum minimize_rule)rpc_get_number(&r, "Rule",
		MINIMIZE_ANY_FAILURE);
	rpc_get_text(&r, "Kind", kind, sizeof(kind));
	q->failure_kind = failure_kind_parse(kind);
	rpc_get_text(&r, "What", q->what, sizeof(q->what));
	q->machine = rpc_get_bool(&r, "Machine");
	q->tries = (uint32_t)rpc_get_number(&r, "Tries", UINT32_MAX);
	q->known_n = (uint32_t)rpc_get_number(&r, "Known", MEMORY_KNOWN_MAX);
	q->ask = rpc_get_bool(&r, "Ask");
	return r.status;
}

static enum status
rpc_decode_tables(json_t *object, struct rpc_request *q, struct error *err)
{
	struct rpc_reader r;

	rpc_reader_init(&r, object, err);
	q->module.key = rpc_get_hex(&r, "Key");
	q->module.n = (uint32_t)rpc_get_number(&r, "N", MEMORY_COUNTERS_MAX);
	q->module.base = UINT32_MAX;
	q->first = (uint32_t)rpc_get_number(&r, "First", MEMORY_COUNTERS_MAX);
	return r.status;
}

static enum status
rpc_decode_call(struct rpc_reader *r, struct rpc_request *q)
{
	json_t *fuzz = rpc_get_object(r, "Fuzz");
	json_t *minimize = rpc_get_object(r, "Minimize");
	json_t *ping = rpc_get_object(r, "Ping");
	json_t *tables = rpc_get_object(r, "Tables");

	if (r->status != OK)
		return r->status;
	if ((fuzz != NULL) + (minimize != NULL) + (ping != NULL) +
			(tables != NULL) >
		1)
		return error_set(r->err, E_PROTOCOL,
			"arguments provided for more than one call");
	q->parent = MEMORY_NO_ENTRY;
	if (fuzz != NULL) {
		q->kind = RPC_FUZZ;
		return rpc_decode_fuzz(fuzz, q, r->err);
	}
	if (minimize != NULL) {
		q->kind = RPC_MINIMIZE;
		return rpc_decode_minimize(minimize, q, r->err);
	}
	if (tables != NULL) {
		q->kind = RPC_TABLES;
		return rpc_decode_tables(tables, q, r->err);
	}
	if (ping == NULL)
		return error_set(r->err, E_PROTOCOL,
			"no arguments provided for any call");
	q->kind = RPC_PING;
	q->leaks = json_is_true(json_object_get(ping, "Leaks"));
	return OK;
}

enum status
rpc_decode_request(const char *line, size_t len, struct rpc_request *request,
	struct error *err)
{
	json_t *object = rpc_load(line, len, err);
	struct rpc_reader r;
	enum status status;

	memset(request, 0, sizeof(*request));
	if (object == NULL)
		return E_PROTOCOL;
	rpc_reader_init(&r, object, err);
	request->seq = rpc_get_number(&r, "Seq", UINT64_MAX);
	request->nonce = rpc_get_hex(&r, "Nonce");
	status = rpc_decode_call(&r, request);
	json_decref(object);
	return status;
}
