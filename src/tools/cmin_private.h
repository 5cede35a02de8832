/*
 * cmin_private: a corpus made smaller.
 *
 *	cmin.c		the runs, and what they mean
 *	cmin_files.c	what is read and written
 *	cmin_say.c	what is told
 */
#ifndef CFUZZ_TOOLS_CMIN_PRIVATE_H
#define CFUZZ_TOOLS_CMIN_PRIVATE_H

#include "base/hash.h"
#include "corpus/set_cover.h"
#include "tools/runner.h"

enum cmin_state {
	CMIN_WAITING,
	CMIN_RUN,      /* it has been run, and is one that may be chosen */
	CMIN_FAILS,    /* crash, hang … */
	CMIN_REJECTED, /* the target returned -1 */
	CMIN_OTHER,    /* not what the target takes */
	CMIN_NOT_RUN,  /* it cannot be read any more, or its worker ended */
	CMIN_STATE_COUNT
};

/* A file, of those with the same content the first. */
struct cmin_input {
	struct cmin *owner;
	char *path;
	size_t len;
	char name[SHA256_HEX_SIZE];
	enum cmin_state state;
	unsigned tries;
	uint8_t *data;    /* while it runs */
	uint32_t *places; /* that it reaches, until all before it are known */
	size_t places_n;
};

struct cmin {
	struct runner rig;
	const char *output;
	struct cmin_input *inputs; /* smallest first */
	size_t inputs_n, room;
	uint64_t files, same; /* looked at; of these, copies of others */
	uint64_t bytes;
	size_t largest; /* room for each as an input */
	size_t given,
		known;   /* inputs that workers got, that are in the cover */
	uint32_t *again; /* inputs to run once more */
	size_t again_n;
	struct set_cover *cover;
	uint32_t *chosen;
	size_t chosen_n, checked; /* of these, run again */
	size_t checks_given;
	uint8_t *seen; /* a bit per place: what the chosen ones reach */
	size_t seen_len;
	uint64_t seen_n, flaky;
	bool choosing_done, done;
	bool cut; /* a find had no room for all it reached */
	uint64_t counts[CMIN_STATE_COUNT];
	uint64_t start_ns;
};

/* Lists the files; E_USAGE: there is none. Says which were skipped. */
enum status cmin_read(struct cmin *m, char **places,
	const struct engine_config *config, struct error *err) MUST_CHECK;
/* False: it is not any more what it was. */
bool cmin_load(struct cmin_input *input);
void cmin_clear(struct cmin *m);

/* The output must be a new folder, or an empty one. */
enum status cmin_check_output(const char *output, struct error *err) MUST_CHECK;
enum status cmin_write(struct cmin *m, struct error *err) MUST_CHECK;

void cmin_say_progress(const struct cmin *m);
void cmin_say_result(const struct cmin *m);

#endif
