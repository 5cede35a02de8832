/*
 * cmp_patch: see cmp_patch.h.
 *
 * cmp_patch_learn() runs inside hooks, so it only notes addresses.
 * cmp_patch_set() asks the dynamic linker for the loaded modules, reads the
 * instruction and follows it to the hook.
 */

#include "target/hooks/cmp_patch.h"

#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CMP_PATCH_SITES_MAX (1u << 15)
#define CMP_PATCH_PAGE 4096u
#define CMP_PATCH_SLOTS (CMP_PATCH_SITES_MAX * 2)
#define CMP_PATCH_PROBES 8u
/* Bytes that end with the call; the first ones may precede it. */
#define CMP_PATCH_WORD sizeof(uint64_t)
/* "." and ".." of /proc/self/task, and one thread. */
#define CMP_PATCH_ONE_THREAD 3u

struct cmp_patch_site {
	uintptr_t returns; /* return address of the call */
	uintptr_t hook;    /* 0: the call has been read */
	uint64_t call;     /* the original call, at the end of a word ... */
	uint64_t mask;     /* ... under this mask; 0: do not patch */
	bool patched;
};

struct cmp_patch_segment {
	uintptr_t start;
	size_t len;
};

struct cmp_patch {
	struct cmp_patch_site sites[CMP_PATCH_SITES_MAX];
	uint32_t slots[CMP_PATCH_SLOTS]; /* index of a site + 1; 0: free */
	uint32_t n;
	uint32_t patched;
	bool want;
} __attribute__((aligned(CMP_PATCH_PAGE)));

/* One per process; all zero until a hook calls cmp_patch_learn(). */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct cmp_patch patch;

void
cmp_patch_learn(uintptr_t returns, uintptr_t hook)
{
	uint32_t hash = (uint32_t)((returns * 0x9e3779b97f4a7c15u) >> 32), n;

	for (uint32_t i = 0; i < CMP_PATCH_PROBES; i++) {
		uint32_t *slot = &patch.slots[(hash + i) % CMP_PATCH_SLOTS];
		uint32_t known = *slot;

		if (known - 1 < CMP_PATCH_SITES_MAX &&
			patch.sites[known - 1].returns == returns)
			return;
		if (known != 0)
			continue;
		n = __atomic_fetch_add(&patch.n, 1, __ATOMIC_RELAXED);
		if (n >= CMP_PATCH_SITES_MAX) {
			__atomic_store_n(&patch.n, CMP_PATCH_SITES_MAX,
				__ATOMIC_RELAXED);
			return;
		}
		patch.sites[n].returns = returns;
		patch.sites[n].hook = hook;
		*slot = n + 1;
		return;
	}
}

void *
cmp_patch_memory(size_t *len)
{
	*len = sizeof(patch);
	return &patch;
}

static uint32_t
cmp_patch_load_word(const uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

#if defined(__x86_64__)
#define CMP_PATCH_STUB_MAX 16u

/* Does a segment of the module with these rights hold the range? */
static bool
cmp_patch_is_loaded(const struct dl_phdr_info *info, uintptr_t at, size_t len,
	uint32_t rights)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && (p->p_flags & rights) == rights &&
			p->p_memsz >= len && at >= start &&
			at - start <= p->p_memsz - len)
			return true;
	}
	return false;
}

static uintptr_t
cmp_patch_displaced(const uint8_t *end)
{
	return (uintptr_t)end +
		(uintptr_t)(intptr_t)(int32_t)cmp_patch_load_word(end - 4);
}

static uintptr_t
cmp_patch_load_pointer(const struct dl_phdr_info *info, uintptr_t slot)
{
	uintptr_t pointer = 0;

	if (cmp_patch_is_loaded(info, slot, sizeof(pointer), PF_R))
		memcpy(&pointer, (const void *)slot, sizeof(pointer));
	return pointer;
}

/* Follows a PLT stub to the address in its slot. */
static uintptr_t
cmp_patch_follow(const struct dl_phdr_info *info, uintptr_t target)
{
	const uint8_t *stub = (const uint8_t *)target;

	if (!cmp_patch_is_loaded(info, target, CMP_PATCH_STUB_MAX, PF_X | PF_R))
		return 0;
	if (cmp_patch_load_word(stub) == 0xfa1e0ff3) /* endbr64 */
		stub += 4;
	if (stub[0] == 0xf2) /* bnd */
		stub++;
	if (stub[0] != 0xff || stub[1] != 0x25)
		return 0;
	return cmp_patch_load_pointer(info, cmp_patch_displaced(stub + 6));
}

/*
 * The length of the call before this address, if it calls the hook, or else 0.
 */
static uint8_t
cmp_patch_call_len(const struct dl_phdr_info *info, const uint8_t *end,
	uintptr_t hook)
{
	uintptr_t target = cmp_patch_displaced(end);

	if (end[-5] == 0xe8 &&
		(target == hook || cmp_patch_follow(info, target) == hook))
		return 5;
	if (end[-6] == 0xff && end[-5] == 0x15 &&
		cmp_patch_load_pointer(info, target) == hook)
		return 6;
	return 0;
}

/* A no-operation of 6 bytes at the end of a word; its last 5 are one, too. */
#define CMP_PATCH_NOTHING 0x0000441f0f660000u
#elif defined(__aarch64__)
static uint8_t
cmp_patch_call_len(const struct dl_phdr_info *info, const uint8_t *end,
	uintptr_t hook)
{
	uint32_t word = cmp_patch_load_word(end - 4);
	intptr_t far = (intptr_t)((int32_t)(word << 6) >> 4);

	return word >> 26 == 0x25 && (uintptr_t)end - 4 + (uintptr_t)far == hook
		? 4
		: 0;
}

#define CMP_PATCH_NOTHING 0xd503201f00000000u
#else
static uint8_t
cmp_patch_call_len(const struct dl_phdr_info *info, const uint8_t *end,
	uintptr_t hook)
{
	return 0;
}

#define CMP_PATCH_NOTHING 0u
#endif

static bool
cmp_patch_is_in(const struct cmp_patch_site *site,
	const struct cmp_patch_segment *segment)
{
	return site->returns - segment->start >= CMP_PATCH_WORD &&
		site->returns - segment->start < segment->len;
}

static uint64_t
cmp_patch_load(uintptr_t returns)
{
	uint64_t word;

	memcpy(&word, (const void *)(returns - CMP_PATCH_WORD), sizeof(word));
	return word;
}

/* Reads the instruction of a site seen for the first time. */
static void
cmp_patch_read_site(struct cmp_patch_site *site,
	const struct dl_phdr_info *info)
{
	const uint8_t *end = (const uint8_t *)site->returns;
	uint8_t len;

	if (site->hook == 0)
		return;
	len = cmp_patch_call_len(info, end, site->hook);
	if (len > 0)
		site->mask = UINT64_MAX << 8 * (CMP_PATCH_WORD - len);
	site->call = cmp_patch_load(site->returns) & site->mask;
	site->hook = 0;
}

/*
 * Finds the pages from the first to the last call to change; false: there are
 * none. Subtracts the sites in this segment from *left.
 */
static bool
cmp_patch_find_span(const struct cmp_patch_segment *segment,
	const struct dl_phdr_info *info, struct cmp_patch_segment *span,
	uint32_t *left)
{
	uintptr_t first = UINTPTR_MAX, last = 0, page;

	for (uint32_t i = 0; i < patch.n; i++) {
		struct cmp_patch_site *site = &patch.sites[i];

		if (!cmp_patch_is_in(site, segment))
			continue;
		(*left)--;
		cmp_patch_read_site(site, info);
		if (site->mask == 0 || site->patched == patch.want)
			continue;
		if (site->returns < first)
			first = site->returns;
		if (site->returns > last)
			last = site->returns;
	}
	if (last == 0)
		return false;
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	span->start = (first - CMP_PATCH_WORD) & ~(page - 1);
	span->len = last - span->start;
	return true;
}

/*
 * False: the code has changed since the last call, because another module was
 * loaded there.
 */
static bool
cmp_patch_change_site(const struct cmp_patch_site *site, bool want)
{
	uint64_t nothing = CMP_PATCH_NOTHING & site->mask;
	uint64_t word = cmp_patch_load(site->returns);
	char *end = (char *)site->returns;

	if ((word & site->mask) != (want ? site->call : nothing))
		return false;
	word ^= site->call ^ nothing;
	memcpy(end - CMP_PATCH_WORD, &word, sizeof(word));
	__builtin___clear_cache(end - CMP_PATCH_WORD, end);
	return true;
}

static void
cmp_patch_change(const struct cmp_patch_segment *segment)
{
	bool want = patch.want;

	for (uint32_t i = 0; i < patch.n; i++) {
		struct cmp_patch_site *site = &patch.sites[i];
		bool done;

		if (!cmp_patch_is_in(site, segment) || site->mask == 0 ||
			site->patched == want)
			continue;
		done = cmp_patch_change_site(site, want);
		if (!done)
			site->mask = 0;
		patch.patched -= (uint32_t)site->patched;
		site->patched = done && want;
		patch.patched += (uint32_t)site->patched;
	}
}

/*
 * Stops after the last site. Mostly all are in the program, which comes first.
 */
static int
cmp_patch_on_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint32_t *left = arg;

	for (int i = 0; i < info->dlpi_phnum && *left != 0; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct cmp_patch_segment segment = {
			info->dlpi_addr + p->p_vaddr, p->p_memsz
		};
		struct cmp_patch_segment span;

		/* Executable code may be unreadable. */
		if (p->p_type != PT_LOAD || (p->p_flags & PF_X) == 0 ||
			(p->p_flags & PF_R) == 0 ||
			!cmp_patch_find_span(&segment, info, &span, left))
			continue;
		if (mprotect((void *)span.start, span.len,
			    PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
			continue;
		cmp_patch_change(&segment);
		(void)mprotect((void *)span.start, span.len,
			PROT_READ | PROT_EXEC |
				((p->p_flags & PF_W) ? PROT_WRITE : 0));
	}
	return *left == 0;
}

/* Another thread might be executing one of the calls. */
static bool
cmp_patch_is_alone(void)
{
	struct stat tasks;

	return stat("/proc/self/task", &tasks) == 0 &&
		tasks.st_nlink == CMP_PATCH_ONE_THREAD;
}

uint32_t
cmp_patch_set(bool on)
{
	uint32_t left = patch.n;
	sigset_t all, before;

	patch.want = on;
	if (patch.n == 0 || (!on && patch.patched == 0) ||
		!cmp_patch_is_alone())
		return patch.patched;
	/* No signal handler of the target may run half-written code. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	(void)dl_iterate_phdr(cmp_patch_on_module, &left);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return patch.patched;
}
