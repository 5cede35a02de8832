/*
 * rpc: requests and replies as JSON lines, see rpc.h. A new member is a row of
 * a table here and a member of its struct.
 */

#include "shared/wire/rpc.h"

#include <string.h>

#include "shared/wire/rpc_json.h"

#define RPC_LATE_MAX \
	(sizeof(((struct rpc_reply *)0)->late) / sizeof(struct counter_module))

/* ---- members ------------------------------------------------------------ */

/* clang-format off */
#define RPC_OF struct counter_module
static const struct rpc_member RPC_MODULE_ROWS[] = {
	{ RPC_MEMBER("Key", HEX, key) },
	{ RPC_MEMBER("N", NUMBER, n), .max = MEMORY_COUNTERS_MAX },
};
static const struct rpc_table RPC_MODULE = RPC_TABLE(RPC_MODULE_ROWS);
#undef RPC_OF

#define RPC_OF struct rpc_request
static const struct rpc_member RPC_PING_ROWS[] = {
	{ RPC_MEMBER("Leaks", BOOL, leaks), .optional = true },
	{ RPC_MEMBER("FailOnExit", BOOL, fail_on_exit), .optional = true },
};

static const struct rpc_member RPC_FUZZ_ROWS[] = {
	{ RPC_MEMBER("Timeout", NUMBER, timeout_ns) },
	{ RPC_MEMBER("Limit", NUMBER, limit) },
	{ RPC_MEMBER("Warmup", BOOL, warmup) },
	{ .name = "CoverageData", .type = RPC_NULL },
	{ RPC_MEMBER("Fresh", BOOL, fresh) },
	{ RPC_MEMBER("Confirm", BOOL, confirm) },
	{ RPC_MEMBER("Parent", NUMBER, parent), .max = MEMORY_NO_ENTRY - 1,
		.optional = true, .absent = MEMORY_NO_ENTRY },
	{ RPC_MEMBER("Cap", NUMBER, cap) },
	{ RPC_MEMBER("Chain", NUMBER, stack_max), .max = MEMORY_MUTATIONS_MAX },
	{ RPC_MEMBER("Draw", BOOL, draw) },
	{ RPC_MEMBER("Profile", BOOL, value_profile) },
	{ RPC_MEMBER("Sequence", NUMBER, sequence_n),
		.max = MEMORY_SEQUENCE_MAX, .optional = true },
};

static const struct rpc_member RPC_MINIMIZE_ROWS[] = {
	{ RPC_MEMBER("Timeout", NUMBER, timeout_ns) },
	{ RPC_MEMBER("Limit", NUMBER, limit) },
	{ .name = "KeepCoverage", .type = RPC_NULL },
	{ RPC_MEMBER("Index", NUMBER, index) },
	{ RPC_MEMBER("WantCoverage", BOOL, want_coverage) },
	{ RPC_MEMBER("Keep", NUMBER, keep_n), .max = MEMORY_KEEP_MAX },
	{ RPC_MEMBER("Profile", BOOL, value_profile) },
	{ RPC_MEMBER("Signature", HEX, stack_hash) },
	{ RPC_MEMBER("Rule", NUMBER, rule), .max = MINIMIZE_ANY_FAILURE },
	{ RPC_MEMBER("Kind", FAILURE, failure_kind) },
	{ RPC_MEMBER("What", TEXT, what) },
	{ RPC_MEMBER("Machine", BOOL, machine) },
	{ RPC_MEMBER("Tries", NUMBER, tries) },
	{ RPC_MEMBER("Known", NUMBER, known_n), .max = MEMORY_KNOWN_MAX },
	{ RPC_MEMBER("Ask", BOOL, ask) },
};

static const struct rpc_member RPC_PC_TABLE_ROWS[] = {
	{ RPC_MEMBER("Key", HEX, module.key) },
	{ RPC_MEMBER("N", NUMBER, module.n), .max = MEMORY_COUNTERS_MAX },
	{ RPC_MEMBER("First", NUMBER, first), .max = MEMORY_COUNTERS_MAX },
};

static const struct rpc_call {
	const char *name;
	struct rpc_table table;
} RPC_CALLS[RPC_KIND_COUNT] = {
	[RPC_PING] = { "Ping", RPC_TABLE(RPC_PING_ROWS) },
	[RPC_FUZZ] = { "Fuzz", RPC_TABLE(RPC_FUZZ_ROWS) },
	[RPC_MINIMIZE] = { "Minimize", RPC_TABLE(RPC_MINIMIZE_ROWS) },
	[RPC_PC_TABLE] = { "Tables", RPC_TABLE(RPC_PC_TABLE_ROWS) },
};

static const struct rpc_member RPC_REQUEST_ROWS[] = {
	{ RPC_MEMBER("Seq", NUMBER, seq) },
	{ RPC_MEMBER("Nonce", HEX, nonce) },
};
static const struct rpc_table RPC_REQUEST = RPC_TABLE(RPC_REQUEST_ROWS);
#undef RPC_OF

/* Types travel as their tags in a tuple. */
#define RPC_OF enum value_type
static const struct rpc_member RPC_VALUE_TYPE_ROWS[] = {
	{ .type = RPC_NUMBER, .size = sizeof(RPC_OF), .max = VALUE_TYPE_N - 1 },
};
static const struct rpc_table RPC_VALUE_TYPE = RPC_TABLE(RPC_VALUE_TYPE_ROWS);
#undef RPC_OF

#define RPC_OF struct failure_frame
static const struct rpc_member RPC_FRAME_ROWS[] = {
	{ RPC_MEMBER("Module", TEXT, module) },
	{ RPC_MEMBER("Offset", HEX, offset) },
};
static const struct rpc_table RPC_FRAME = RPC_TABLE(RPC_FRAME_ROWS);
#undef RPC_OF

#define RPC_OF struct failure
static const struct rpc_member RPC_FAILURE_ROWS[] = {
	{ RPC_MEMBER("Kind", FAILURE, kind) },
	{ RPC_MEMBER("Signal", NUMBER, signo), .max = 127 },
	{ RPC_MEMBER("Exit", NUMBER, exit_status), .max = 255 },
	{ RPC_MEMBER("What", TEXT, what) },
	{ RPC_MEMBER("Text", TEXT, text) },
	{ RPC_MEMBER("StackFull", BOOL, stack_full) },
	{ RPC_LIST_OF("Frames", frames, frames_n, RPC_FRAME) },
};
static const struct rpc_table RPC_FAILURES = RPC_TABLE(RPC_FAILURE_ROWS);
#undef RPC_OF

#define RPC_OF struct rpc_reply
static const struct rpc_member RPC_REPLY_ROWS[] = {
	{ RPC_MEMBER("Seq", NUMBER, seq) },
	{ RPC_MEMBER("Nonce", HEX, nonce) },
};
static const struct rpc_table RPC_REPLY = RPC_TABLE(RPC_REPLY_ROWS);

static const struct rpc_member RPC_PING_REPLY_ROWS[] = {
	{ RPC_MEMBER("Version", NUMBER, version) },
	{ RPC_MEMBER("Threads", NUMBER, threads), .max = INT32_MAX },
	{ RPC_MEMBER("NoFork", BOOL, no_fork) },
	{ RPC_MEMBER("Leaks", NUMBER, leaks), .max = LEAKS_COUNT - 1 },
	{ RPC_MEMBER("TargetKind", TEXT, target_kind) },
	{ RPC_MEMBER("Sanitizer", TEXT, sanitizer) },
	{ RPC_MEMBER("Instrumentation", TEXT, instrumentation) },
	{ RPC_LIST_OF("Modules", modules, modules_n, RPC_MODULE) },
	{ RPC_LIST_OF("Types", types.types, types.n, RPC_VALUE_TYPE) },
	{ RPC_MEMBER("Function", TEXT, function) },
	{ RPC_MEMBER("Seeds", NUMBER, seeds_n) },
	{ RPC_MEMBER("SeedsLost", NUMBER, seeds_lost) },
	{ RPC_MEMBER("Words", NUMBER, words_n) },
	{ RPC_MEMBER("CustomUnused", BOOL, custom_unused) },
};

/* All calls but Ping. */
static const struct rpc_member RPC_CALL_REPLY_ROWS[] = {
	{ RPC_MEMBER("Count", NUMBER, count) },
	{ .name = "CoverageData", .type = RPC_NULL },
	{ RPC_MEMBER("Err", TEXT_OUT, failure.text) },
	{ RPC_MEMBER("InternalErr", TEXT, internal_err) },
	{ RPC_MEMBER("End", NUMBER, end), .max = CALL_UNKNOWN },
	{ RPC_MEMBER("Rejected", NUMBER, rejected) },
	{ RPC_MEMBER("OddReturn", BOOL, odd_return) },
	{ RPC_MEMBER("CustomBad", BOOL, custom_bad) },
	{ RPC_MEMBER("Spent", BOOL, spent) },
	{ RPC_MEMBER("Died", BOOL, died) },
	{ RPC_MEMBER("Fork", NUMBER, fork_ns) },
};
static const struct rpc_table RPC_CALL_REPLY = RPC_TABLE(RPC_CALL_REPLY_ROWS);

static const struct rpc_member RPC_FUZZ_REPLY_ROWS[] = {
	{ RPC_MEMBER("TotalDuration", NUMBER, total_ns) },
	{ RPC_MEMBER("InterestingDuration", NUMBER, run_ns) },
	{ RPC_MEMBER("Finds", NUMBER, finds) },
	{ RPC_MEMBER("RingUsed", NUMBER, ring_used) },
	{ RPC_LIST_OF("Late", late, late_n, RPC_MODULE) },
};

static const struct rpc_member RPC_MINIMIZE_REPLY_ROWS[] = {
	{ RPC_MEMBER("WroteToMem", BOOL, wrote_to_mem) },
	{ RPC_MEMBER("Duration", NUMBER, total_ns) },
	{ RPC_MEMBER("BestLen", NUMBER, best_len) },
	{ RPC_MEMBER("Tries", NUMBER, tries) },
	{ RPC_MEMBER("Accepted", NUMBER, accepted) },
	{ RPC_MEMBER("Marks", NUMBER, results_n) },
	{ RPC_MEMBER("Lost", NUMBER, lost) },
	{ RPC_MEMBER("Kept", NUMBER, kept), .max = MEMORY_KEEP_MAX },
};

/* The members after those of all replies and, but for Ping, of all calls. */
static const struct rpc_table RPC_REPLIES[RPC_KIND_COUNT] = {
	[RPC_PING] = RPC_TABLE(RPC_PING_REPLY_ROWS),
	[RPC_FUZZ] = RPC_TABLE(RPC_FUZZ_REPLY_ROWS),
	[RPC_MINIMIZE] = RPC_TABLE(RPC_MINIMIZE_REPLY_ROWS),
};
#undef RPC_OF
/* clang-format on */

/* ---- requests ----------------------------------------------------------- */

/* Writes the object unless a part of it failed, and frees it. */
static enum status
rpc_finish(json_t *take_object, bool whole, char *buf, size_t size, size_t *len,
	struct error *err)
{
	if (!whole) {
		json_decref(take_object);
		take_object = NULL;
	}
	return rpc_dump(take_object, buf, size, len, err);
}

enum status
rpc_encode_request(const struct rpc_request *request, char *buf, size_t size,
	size_t *len, struct error *err)
{
	json_t *object = json_object();
	bool whole = true;

	for (unsigned i = 0; i < RPC_KIND_COUNT; i++) {
		const struct rpc_call *call = &RPC_CALLS[i];

		/* Go's engine does not know Tables. */
		if (i != request->kind && i == RPC_PC_TABLE)
			continue;
		whole = json_object_set_new(object, call->name,
				i == request->kind
					? rpc_object(&call->table, request)
					: json_null()) == 0 &&
			whole;
	}
	whole = whole && rpc_put_members(object, &RPC_REQUEST, request);
	return rpc_finish(object, whole, buf, size, len, err);
}

static enum status
rpc_decode_call(const json_t *object, struct rpc_request *q, struct error *err)
{
	json_t *calls[RPC_KIND_COUNT];
	unsigned n = 0;

	for (unsigned i = 0; i < RPC_KIND_COUNT; i++) {
		if (rpc_get_object(object, RPC_CALLS[i].name, &calls[i], err) !=
			OK)
			return E_PROTOCOL;
		if (calls[i] != NULL) {
			q->kind = (enum rpc_kind)i;
			n++;
		}
	}
	if (n != 1)
		return error_set(err, E_PROTOCOL,
			n > 1 ? "arguments provided for more than one call"
			      : "no arguments provided for any call");
	if (q->kind == RPC_PC_TABLE)
		q->module.base = UINT32_MAX;
	return rpc_get_members(calls[q->kind], &RPC_CALLS[q->kind].table, q,
		err);
}

enum status
rpc_decode_request(const char *line, size_t len, struct rpc_request *request,
	struct error *err)
{
	json_t *object = rpc_load(line, len, err);
	enum status status;

	memset(request, 0, sizeof(*request));
	request->parent = MEMORY_NO_ENTRY;
	if (object == NULL)
		return E_PROTOCOL;
	status = rpc_get_members(object, &RPC_REQUEST, request, err);
	if (status == OK)
		status = rpc_decode_call(object, request, err);
	json_decref(object);
	return status;
}

/* ---- replies ------------------------------------------------------------ */

static bool
rpc_put_call(json_t *object, const struct rpc_reply *p)
{
	return rpc_put_members(object, &RPC_CALL_REPLY, p) &&
		json_object_set_new(object, "Failure",
			p->failure.kind == FAILURE_NONE
				? json_null()
				: rpc_object(&RPC_FAILURES, &p->failure)) == 0;
}

enum status
rpc_encode_reply(const struct rpc_reply *reply, char *buf, size_t size,
	size_t *len, struct error *err)
{
	json_t *object;
	bool whole;

	*len = 0;
	if (reply->modules_n > MEMORY_MODULES_MAX ||
		reply->late_n > RPC_LATE_MAX)
		return error_set(err, E_RANGE, "too many modules in a reply");
	object = json_object();
	whole = rpc_put_members(object, &RPC_REPLY, reply) &&
		(reply->kind == RPC_PING || rpc_put_call(object, reply)) &&
		rpc_put_members(object, &RPC_REPLIES[reply->kind], reply);
	return rpc_finish(object, whole, buf, size, len, err);
}

static enum status
rpc_get_call(const json_t *object, struct rpc_reply *p, struct error *err)
{
	enum status status = rpc_get_members(object, &RPC_CALL_REPLY, p, err);
	json_t *failure;

	if (status == OK)
		status = rpc_get_object(object, "Failure", &failure, err);
	if (status != OK || failure == NULL)
		return status;
	status = rpc_get_members(failure, &RPC_FAILURES, &p->failure, err);
	return status == OK && p->failure.kind == FAILURE_NONE
		? rpc_bad_member(err, "Kind")
		: status;
}

bool
rpc_is_name(const char *text)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_:";

	return text[strspn(text, LETTERS)] == '\0';
}

/* The engine assigns map indices to the modules. */
static void
rpc_clear_bases(struct counter_module *modules, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		modules[i].base = UINT32_MAX;
}

enum status
rpc_decode_reply(const char *line, size_t len, enum rpc_kind kind,
	struct rpc_reply *reply, struct error *err)
{
	json_t *object = rpc_load(line, len, err);
	enum status status;

	memset(reply, 0, sizeof(*reply));
	reply->kind = kind;
	if (object == NULL)
		return E_PROTOCOL;
	status = rpc_get_members(object, &RPC_REPLY, reply, err);
	if (status == OK && kind != RPC_PING)
		status = rpc_get_call(object, reply, err);
	if (status == OK)
		status =
			rpc_get_members(object, &RPC_REPLIES[kind], reply, err);
	if (status == OK && !rpc_is_name(reply->function))
		status = rpc_bad_member(err, "Function");
	rpc_clear_bases(reply->modules, reply->modules_n);
	rpc_clear_bases(reply->late, reply->late_n);
	json_decref(object);
	return status;
}
