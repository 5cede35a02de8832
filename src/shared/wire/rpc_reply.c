/* rpc_reply: replies as JSON lines, see rpc.h. */

#include <string.h>

#include "shared/wire/rpc.h"
#include "shared/wire/rpc_json.h"

#define RPC_LATE_MAX \
	(sizeof(((struct rpc_reply *)0)->late) / sizeof(struct counter_module))

static json_t *
rpc_encode_modules(const struct counter_module *modules, uint32_t n)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < n; i++) {
		struct rpc_writer w;

		rpc_writer_init(&w);
		rpc_put_hex(&w, "Key", modules[i].key);
		rpc_put_number(&w, "N", modules[i].n);
		if (json_array_append_new(array, rpc_writer_steal(&w)) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *
rpc_encode_frames(const struct failure *f)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < f->frames_n && i < FAILURE_FRAMES_MAX; i++) {
		struct rpc_writer w;

		rpc_writer_init(&w);
		rpc_put_text(&w, "Module", f->frames[i].module,
			sizeof(f->frames[i].module));
		rpc_put_hex(&w, "Offset", f->frames[i].offset);
		if (json_array_append_new(array, rpc_writer_steal(&w)) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *
rpc_encode_failure(const struct failure *f)
{
	struct rpc_writer w;

	if (f->kind == FAILURE_NONE)
		return json_null();
	rpc_writer_init(&w);
	rpc_put_text(&w, "Kind", failure_kind_name(f->kind), 32);
	rpc_put_signed(&w, "Signal", f->signo);
	rpc_put_signed(&w, "Exit", f->exit_status);
	rpc_put_text(&w, "What", f->what, sizeof(f->what));
	rpc_put_text(&w, "Text", f->text, sizeof(f->text));
	rpc_put_bool(&w, "StackFull", f->stack_full);
	rpc_put(&w, "Frames", rpc_encode_frames(f));
	return rpc_writer_steal(&w);
}

/* Types travel as their tags in a tuple. */
static json_t *
rpc_encode_types(const struct tuple_types *types)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < types->n && i < TUPLE_MAX; i++)
		if (json_array_append_new(array,
			    json_integer(types->types[i])) != 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static void
rpc_put_ping(struct rpc_writer *w, const struct rpc_reply *p)
{
	rpc_put_number(w, "Version", p->version);
	rpc_put_signed(w, "Threads", p->threads);
	rpc_put_bool(w, "NoFork", p->no_fork);
	rpc_put_number(w, "Leaks", p->leaks);
	rpc_put_text(w, "Sanitizer", p->sanitizer, sizeof(p->sanitizer));
	rpc_put_text(w, "Instrumentation", p->instrumentation,
		sizeof(p->instrumentation));
	rpc_put(w, "Modules", rpc_encode_modules(p->modules, p->modules_n));
	rpc_put(w, "Types", rpc_encode_types(&p->types));
	rpc_put_text(w, "Function", p->function, sizeof(p->function));
	rpc_put_number(w, "Seeds", p->seeds_n);
	rpc_put_number(w, "SeedsLost", p->seeds_lost);
	rpc_put_bool(w, "CustomUnused", p->custom_unused);
}

static void
rpc_put_fuzz(struct rpc_writer *w, const struct rpc_reply *p)
{
	rpc_put_number(w, "TotalDuration", p->total_ns);
	rpc_put_number(w, "InterestingDuration", p->run_ns);
	rpc_put_number(w, "Finds", p->finds);
	rpc_put_number(w, "RingUsed", p->ring_used);
	rpc_put(w, "Late", rpc_encode_modules(p->late, p->late_n));
}

static void
rpc_put_minimize(struct rpc_writer *w, const struct rpc_reply *p)
{
	rpc_put_bool(w, "WroteToMem", p->wrote_to_mem);
	rpc_put_number(w, "Duration", p->total_ns);
	rpc_put_number(w, "BestLen", p->best_len);
	rpc_put_number(w, "Tries", p->tries);
	rpc_put_number(w, "Accepted", p->accepted);
	rpc_put_number(w, "Marks", p->marks_n);
	rpc_put_number(w, "Lost", p->lost);
	rpc_put_number(w, "Kept", p->kept);
}

static void
rpc_put_call(struct rpc_writer *w, const struct rpc_reply *p)
{
	rpc_put_number(w, "Count", p->count);
	rpc_put(w, "CoverageData", json_null());
	rpc_put_text(w, "Err", p->failure.text, sizeof(p->failure.text));
	rpc_put_text(w, "InternalErr", p->internal_err,
		sizeof(p->internal_err));
	rpc_put_number(w, "End", p->end);
	rpc_put_number(w, "Rejected", p->rejected);
	rpc_put_bool(w, "OddReturn", p->odd_return);
	rpc_put_bool(w, "CustomBad", p->custom_bad);
	rpc_put_bool(w, "Died", p->died);
	rpc_put_number(w, "Fork", p->fork_ns);
	rpc_put(w, "Failure", rpc_encode_failure(&p->failure));
}

enum status
rpc_encode_reply(const struct rpc_reply *reply, char *buf, size_t size,
	size_t *len, struct error *err)
{
	struct rpc_writer w;

	*len = 0;
	if (reply->modules_n > MEMORY_MODULES_MAX ||
		reply->late_n > RPC_LATE_MAX)
		return error_set(err, E_RANGE, "too many modules in a reply");
	rpc_writer_init(&w);
	rpc_put_number(&w, "Seq", reply->seq);
	rpc_put_hex(&w, "Nonce", reply->nonce);
	if (reply->kind == RPC_PING)
		rpc_put_ping(&w, reply);
	else
		rpc_put_call(&w, reply);
	if (reply->kind == RPC_FUZZ)
		rpc_put_fuzz(&w, reply);
	if (reply->kind == RPC_MINIMIZE)
		rpc_put_minimize(&w, reply);
	return rpc_dump(rpc_writer_steal(&w), buf, size, len, err);
}

/* An element that is not an object fails the reader of the message. */
static bool
rpc_element(struct rpc_reader *above, json_t *array, size_t i,
	struct rpc_reader *element, const char *name)
{
	json_t *object = json_array_get(array, i);

	if (!json_is_object(object)) {
		rpc_reader_fail(above, name);
		return false;
	}
	rpc_reader_init(element, object, above->err);
	return true;
}

static uint32_t
rpc_get_modules(struct rpc_reader *r, const char *name,
	struct counter_module *modules, size_t max)
{
	json_t *array = rpc_get_array(r, name, max);
	size_t n = json_array_size(array);
	struct rpc_reader e;

	for (size_t i = 0; i < n; i++) {
		if (!rpc_element(r, array, i, &e, name))
			return 0;
		modules[i].key = rpc_get_hex(&e, "Key");
		modules[i].n =
			(uint32_t)rpc_get_number(&e, "N", MEMORY_COUNTERS_MAX);
		modules[i].base = UINT32_MAX;
		if (e.status != OK)
			r->status = e.status;
	}
	return (uint32_t)n;
}

static void
rpc_get_frames(struct rpc_reader *r, struct failure *f)
{
	json_t *array = rpc_get_array(r, "Frames", FAILURE_FRAMES_MAX);
	size_t n = json_array_size(array);
	struct rpc_reader e;

	for (size_t i = 0; i < n; i++) {
		if (!rpc_element(r, array, i, &e, "Frames"))
			return;
		rpc_get_text(&e, "Module", f->frames[i].module,
			sizeof(f->frames[i].module));
		f->frames[i].offset = rpc_get_hex(&e, "Offset");
		if (e.status != OK)
			r->status = e.status;
	}
	f->frames_n = (uint32_t)n;
}

static void
rpc_get_failure(struct rpc_reader *above, struct failure *f)
{
	json_t *object = rpc_get_object(above, "Failure");
	struct rpc_reader r;
	char kind[32];

	if (object == NULL)
		return;
	rpc_reader_init(&r, object, above->err);
	rpc_get_text(&r, "Kind", kind, sizeof(kind));
	f->kind = failure_kind_parse(kind);
	if (f->kind == FAILURE_NONE)
		rpc_reader_fail(&r, "Kind");
	f->signo = (int)rpc_get_signed(&r, "Signal", 0, 127);
	f->exit_status = (int)rpc_get_signed(&r, "Exit", 0, 255);
	rpc_get_text(&r, "What", f->what, sizeof(f->what));
	rpc_get_text(&r, "Text", f->text, sizeof(f->text));
	f->stack_full = rpc_get_bool(&r, "StackFull");
	rpc_get_frames(&r, f);
	if (r.status != OK)
		above->status = r.status;
}

/* A name in C or C++: no character can do harm elsewhere. */
static bool
rpc_is_name(const char *text)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_:";

	return text[strspn(text, LETTERS)] == '\0';
}

static void
rpc_get_types(struct rpc_reader *r, struct tuple_types *types)
{
	json_t *array = rpc_get_array(r, "Types", TUPLE_MAX);
	json_int_t tag;
	size_t i;

	for (i = 0; i < json_array_size(array); i++) {
		json_t *item = json_array_get(array, i);

		tag = json_is_integer(item) ? json_integer_value(item) : -1;
		if (tag < 0 || tag >= VALUE_TYPE_N) {
			rpc_reader_fail(r, "Types");
			return;
		}
		types->types[i] = (enum value_type)tag;
	}
	types->n = (uint32_t)i;
}

static void
rpc_get_ping(struct rpc_reader *r, struct rpc_reply *p)
{
	p->version = (uint32_t)rpc_get_number(r, "Version", UINT32_MAX);
	p->threads = (int32_t)rpc_get_signed(r, "Threads", 0, INT32_MAX);
	p->no_fork = rpc_get_bool(r, "NoFork");
	p->leaks = (enum rpc_leaks)rpc_get_number(r, "Leaks", LEAKS_COUNT - 1);
	rpc_get_text(r, "Sanitizer", p->sanitizer, sizeof(p->sanitizer));
	rpc_get_text(r, "Instrumentation", p->instrumentation,
		sizeof(p->instrumentation));
	p->modules_n =
		rpc_get_modules(r, "Modules", p->modules, MEMORY_MODULES_MAX);
	rpc_get_types(r, &p->types);
	rpc_get_text(r, "Function", p->function, sizeof(p->function));
	if (!rpc_is_name(p->function))
		rpc_reader_fail(r, "Function");
	p->seeds_n = (uint32_t)rpc_get_number(r, "Seeds", UINT32_MAX);
	p->seeds_lost = (uint32_t)rpc_get_number(r, "SeedsLost", UINT32_MAX);
	p->custom_unused = rpc_get_bool(r, "CustomUnused");
}

static void
rpc_get_fuzz(struct rpc_reader *r, struct rpc_reply *p)
{
	p->total_ns = rpc_get_number(r, "TotalDuration", UINT64_MAX);
	p->run_ns = rpc_get_number(r, "InterestingDuration", UINT64_MAX);
	p->finds = (uint32_t)rpc_get_number(r, "Finds", UINT32_MAX);
	p->ring_used = rpc_get_number(r, "RingUsed", UINT64_MAX);
	p->late_n = rpc_get_modules(r, "Late", p->late, RPC_LATE_MAX);
}

static void
rpc_get_minimize(struct rpc_reader *r, struct rpc_reply *p)
{
	p->wrote_to_mem = rpc_get_bool(r, "WroteToMem");
	p->total_ns = rpc_get_number(r, "Duration", UINT64_MAX);
	p->best_len = rpc_get_number(r, "BestLen", UINT64_MAX);
	p->tries = rpc_get_number(r, "Tries", UINT64_MAX);
	p->accepted = rpc_get_number(r, "Accepted", UINT64_MAX);
	p->marks_n = (uint32_t)rpc_get_number(r, "Marks", UINT32_MAX);
	p->lost = (uint32_t)rpc_get_number(r, "Lost", UINT32_MAX);
	p->kept = (uint32_t)rpc_get_number(r, "Kept", MEMORY_KEEP_MAX);
}

static void
rpc_get_call(struct rpc_reader *r, struct rpc_reply *p)
{
	p->count = rpc_get_number(r, "Count", UINT64_MAX);
	rpc_get_text(r, "InternalErr", p->internal_err,
		sizeof(p->internal_err));
	p->end = (enum call_end)rpc_get_number(r, "End", CALL_UNKNOWN);
	p->rejected = rpc_get_number(r, "Rejected", UINT64_MAX);
	p->odd_return = rpc_get_bool(r, "OddReturn");
	p->custom_bad = rpc_get_bool(r, "CustomBad");
	p->died = rpc_get_bool(r, "Died");
	p->fork_ns = rpc_get_number(r, "Fork", UINT64_MAX);
	rpc_get_failure(r, &p->failure);
}

enum status
rpc_decode_reply(const char *line, size_t len, enum rpc_kind kind,
	struct rpc_reply *reply, struct error *err)
{
	json_t *object = rpc_load(line, len, err);
	struct rpc_reader r;

	memset(reply, 0, sizeof(*reply));
	reply->kind = kind;
	if (object == NULL)
		return E_PROTOCOL;
	rpc_reader_init(&r, object, err);
	reply->seq = rpc_get_number(&r, "Seq", UINT64_MAX);
	reply->nonce = rpc_get_hex(&r, "Nonce");
	if (kind == RPC_PING)
		rpc_get_ping(&r, reply);
	else
		rpc_get_call(&r, reply);
	if (kind == RPC_FUZZ)
		rpc_get_fuzz(&r, reply);
	if (kind == RPC_MINIMIZE)
		rpc_get_minimize(&r, reply);
	json_decref(object);
	return r.status;
}
