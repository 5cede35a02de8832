/*
 * memory_campaign: the layout of campaign memory, see memory.h.
 */
#ifndef CFUZZ_SHARED_WIRE_MEMORY_CAMPAIGN_H
#define CFUZZ_SHARED_WIRE_MEMORY_CAMPAIGN_H

#include <stdint.h>

#define MEMORY_WORKERS_MAX 256u
#define MEMORY_MODULES_MAX 256u
#define MEMORY_LATE_MAX 16u             /* new modules that one reply reports */
#define MEMORY_COUNTERS_MAX (16u << 20) /* bytes of the coverage map */
#define MEMORY_NO_ENTRY UINT32_MAX      /* as the number of an entry */
#define MEMORY_WORDS_MAX 4096u          /* tokens in the dictionary */
#define MEMORY_WORD_LEN_MAX 128u        /* bytes */
#define MEMORY_SELECTION_MAX 65536u     /* places of the selection table */
#define MEMORY_OPS_MAX 64u              /* mutation kinds on the wire */

/* A group of edge counters of one loaded module. */
struct counter_module {
	uint64_t key;  /* hash of the build-id or file name, and n */
	uint32_t n;    /* edge counters */
	uint32_t base; /* first index in the map; UINT32_MAX: no room */
};

/* The key of the value profile's counters (progress in comparisons). They say
 * nothing about code, and matter only where nothing else grows. */
#define MEMORY_VALUE_PROFILE_KEY 0x65726170706d6f63u
/* The key of counters of code that is in no module, as in another program. */
#define MEMORY_NO_MODULE_KEY 0x656e6f6e646f6d6eu

/* One slot per worker in campaign memory, read by the child. */
struct campaign_slot {
	uint64_t end_seq; /* calls up to this number must end now */
	uint32_t paused;  /* 1: a stop by SIGSTOP is no failure */
	uint32_t pad[13];
};

/*
 * One corpus entry in the arena. Its share of the selection table decides how
 * often it is a parent: the table holds numbers of entries, and a worker draws
 * one place. The engine writes the table while workers draw; each place always
 * holds some entry.
 */
struct campaign_entry {
	uint64_t offset; /* into campaign memory */
	uint32_t len;    /* bytes */
	uint32_t pad;
};

/* One dictionary token; never changed once published. */
struct memory_word {
	uint8_t len; /* 1 … MEMORY_WORD_LEN_MAX */
	uint8_t bytes[MEMORY_WORD_LEN_MAX];
};

/* The head of campaign memory; offsets count from its start. */
struct campaign_head {
	uint32_t version; /* WIRE_VERSION */
	uint32_t max_len; /* largest input, bytes: fixes the sizes */
	uint64_t size;    /* of campaign memory, bytes */
	/* MEMORY_COUNTERS_MAX bytes, sparse: for each counter, the buckets that
	 * count as seen, a bit each. */
	uint64_t coverage_offset;
	uint64_t entries_offset; /* struct campaign_entry[entries_max] */
	uint64_t entries_max;
	uint64_t arena_offset;     /* bytes of corpus entries */
	uint64_t words_offset;     /* struct memory_word[MEMORY_WORDS_MAX] */
	uint64_t arena_size;       /* bytes */
	uint64_t selection_offset; /* uint32_t[MEMORY_SELECTION_MAX] */
	uint32_t modules_n;        /* published with release order */
	uint32_t entries_n;        /* published with release order */
	uint32_t words_n;     /* dictionary; published with release order */
	uint32_t counters;    /* in use: valid bytes of the coverage map */
	uint32_t selection_n; /* published with release order; 0: none yet */
	/* Relative weight of each kind of mutation; all 0: those of
	 * mutate_weight(). */
	uint32_t weights[MEMORY_OPS_MAX];
	struct counter_module modules[MEMORY_MODULES_MAX];
	struct campaign_slot slots[MEMORY_WORKERS_MAX];
};

#endif
