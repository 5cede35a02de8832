/*
 * rights: the user of an isolated target, and what it may ask of the kernel.
 *
 * An ordinary user is mapped to itself, without privileges. Root becomes nobody
 * first: otherwise the target could read root's files even without a
 * capability.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "isolate/isolate_private.h"

#define RIGHTS_NOBODY 65534
#define RIGHTS_WAY_OUT \
	"; or leave --isolate out and run cfuzz as a whole in a virtual machine"

/* ---- what the machine forbids ------------------------------------------- */

/* The number in a file of /proc; -1: none. */
static long
rights_setting(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t len = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	fd_close(&fd);
	if (len <= 0)
		return -1;
	text[len] = '\0';
	return strtol(text, NULL, 10);
}

enum status
rights_refused(int e, struct error *err)
{
	static const struct {
		const char *path, *name;
		long bad;
		const char *good;
	} rows[] = {
		{ "/proc/sys/user/max_user_namespaces",
			"user.max_user_namespaces", 0, "10000" },
		{ "/proc/sys/kernel/unprivileged_userns_clone",
			"kernel.unprivileged_userns_clone", 0, "1" },
		{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
			"kernel.apparmor_restrict_unprivileged_userns", 1,
			"0" },
	};
	/* ENOSPC can only come from the first one. */
	size_t i, n = e == ENOSPC ? 1 : sizeof(rows) / sizeof(rows[0]);

	for (i = 0; i < n; i++)
		if (rights_setting(rows[i].path) == rows[i].bad)
			return error_set(err, E_USAGE,
				"--isolate: this machine allows no user "
				"namespaces, as %s is %ld: `sysctl %s=%s` as "
				"root allows them" RIGHTS_WAY_OUT,
				rows[i].name, rows[i].bad, rows[i].name,
				rows[i].good);
	if (e == ENOSPC)
		return error_set(err, E_USAGE,
			"--isolate: too many namespaces: raise "
			"user.max_user_namespaces and similar limits, or use "
			"fewer workers (-j)");
	return error_set(err, E_USAGE,
		"--isolate: namespaces cannot be made here: %s; in a "
		"container, an ordinary user has to be allowed to make them "
		"(docker: --user 1000 --security-opt seccomp=unconfined "
		"--security-opt apparmor=unconfined --security-opt "
		"systempaths=unconfined)" RIGHTS_WAY_OUT,
		strerror(e));
}

/* ---- users -------------------------------------------------------------- */

static enum status
rights_write(const char *path, const char *text, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), e = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		e = errno;
	fd_close(&fd);
	if (e == 0)
		return OK;
	/* AppArmor may allow a user namespace, but no rights in it. */
	if (e == EACCES || e == EPERM)
		return rights_refused(e, err);
	return error_set(err, E_USAGE, "--isolate: cannot write %s: %s", path,
		strerror(e));
}

bool
rights_are_root(void)
{
	unsigned long inside = 1, outside = 1, n = 0;
	FILE *file = fopen("/proc/self/uid_map", "re");

	if (file == NULL)
		return geteuid() == 0;
	if (fscanf(file, "%lu %lu %lu", &inside, &outside, &n) != 3)
		n = 0;
	fclose(file);
	/* Root of a user namespace is an ordinary user outside. */
	return geteuid() == 0 && inside == 0 && outside == 0 &&
		n > RIGHTS_NOBODY;
}

/* Maps this user alone. Root appears as nobody inside, never as root. */
static enum status
rights_map(uid_t uid, gid_t gid, struct error *err)
{
	uid_t as = uid == 0 ? RIGHTS_NOBODY : uid;
	gid_t as_group = gid == 0 ? RIGHTS_NOBODY : gid;
	char users[64], groups[64];

	snprintf(users, sizeof(users), "%u %u 1", (unsigned)as, (unsigned)uid);
	snprintf(groups, sizeof(groups), "%u %u 1", (unsigned)as_group,
		(unsigned)gid);
	if (rights_write("/proc/self/setgroups", "deny", err) != OK ||
		rights_write("/proc/self/uid_map", users, err) != OK ||
		rights_write("/proc/self/gid_map", groups, err) != OK)
		return err->code;
	return OK;
}

static enum status
rights_unshare_user(struct error *err)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (unshare(CLONE_NEWUSER) != 0)
		return rights_refused(errno, err);
	return rights_map(uid, gid, err);
}

enum status
rights_unshare(bool root, struct error *err)
{
	if (!root && rights_unshare_user(err) != OK)
		return err->code;
	if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWPID) !=
		0)
		return rights_refused(errno, err);
	return OK;
}

static enum status
rights_become_nobody(struct error *err)
{
	if (setgroups(0, NULL) != 0 ||
		setresgid(RIGHTS_NOBODY, RIGHTS_NOBODY, RIGHTS_NOBODY) != 0 ||
		setresuid(RIGHTS_NOBODY, RIGHTS_NOBODY, RIGHTS_NOBODY) != 0)
		return error_set(err, E_USAGE,
			"--isolate: root cannot become user %d for the target: "
			"%s",
			RIGHTS_NOBODY, strerror(errno));
	/* Otherwise the files in /proc/self would still belong to root. */
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return rights_unshare_user(err);
}

/* ---- capabilities ------------------------------------------------------- */

static void
rights_raise_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	/* A kernel without network has no loopback. */
	if (fd >= 0)
		(void)ioctl(fd, SIOCSIFFLAGS, &request);
	fd_close(&fd);
}

static enum status
rights_drop_capabilities(struct error *err)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };
	int cap;

	for (cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
			return error_set(err, E_USAGE,
				"--isolate: capability %d cannot be dropped: "
				"%s",
				cap, strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		syscall(SYS_capset, &head, none) != 0)
		return error_set(err, E_USAGE,
			"--isolate: capabilities cannot be dropped: %s",
			strerror(errno));
	return OK;
}

/* Gives up the user's keyring; a kernel without keyrings needs nothing. */
static enum status
rights_leave_keyring(struct error *err)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 ||
		errno == ENOSYS || errno == EPERM)
		return OK;
	return error_set(err, E_USAGE,
		"--isolate: no keyring for the target: %s%s", strerror(errno),
		errno == EDQUOT ? "; raise the limit (`sysctl "
				  "kernel.keys.maxkeys=2000` as root) or use "
				  "fewer workers (-j)"
				: "");
}

enum status
rights_drop(bool root, struct error *err)
{
	rights_raise_loopback();
	/* While this is root, whose keyrings may be many. */
	if (rights_leave_keyring(err) != OK)
		return err->code;
	if (root && rights_become_nobody(err) != OK)
		return err->code;
	/* In a new user namespace the target would have all capabilities
	 * again. */
	if (rights_write("/proc/sys/user/max_user_namespaces", "0", err) != OK)
		return err->code;
	return rights_drop_capabilities(err);
}

/* ---- system calls ------------------------------------------------------- */

#if defined(__x86_64__)
#define RIGHTS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define RIGHTS_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef RIGHTS_ARCH
#define LOAD(member) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(e) RETURN(SECCOMP_RET_ERRNO | (e))
/* Skip the next n steps if the value is (not) equal. */
#define SKIP_IF(number, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, n, 0)
#define SKIP_UNLESS(number, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, n)
#define REFUSE_CALL(number, e) SKIP_UNLESS(number, 1), REFUSE(e)
#define X32_CALLS 0x40000000u

/*
 * Other socket families reach a host, a radio or a device past the namespaces,
 * and io_uring opens any family. Keys belong to the user. bpf and
 * perf_event_open have a long record of kernel bugs.
 */
enum status
rights_filter(struct error *err)
{
	struct sock_filter steps[] = {
		LOAD(arch),
		SKIP_IF(RIGHTS_ARCH, 1),
		REFUSE(ENOSYS),
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
		REFUSE(ENOSYS),
		REFUSE_CALL(SYS_io_uring_setup, ENOSYS),
		REFUSE_CALL(SYS_add_key, EPERM),
		REFUSE_CALL(SYS_request_key, EPERM),
		REFUSE_CALL(SYS_keyctl, EPERM),
		REFUSE_CALL(SYS_bpf, EPERM),
		REFUSE_CALL(SYS_perf_event_open, EPERM),
		SKIP_UNLESS(SYS_socket, 6),
		LOAD(args[0]),
		SKIP_IF(AF_UNIX, 4),
		SKIP_IF(AF_INET, 3),
		SKIP_IF(AF_INET6, 2),
		SKIP_IF(AF_NETLINK, 1),
		REFUSE(EAFNOSUPPORT),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		.len = sizeof(steps) / sizeof(steps[0]),
		.filter = steps,
	};

	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return error_set(err, E_USAGE,
			"--isolate: system calls cannot be filtered: %s",
			strerror(errno));
	return OK;
}
#else
enum status
rights_filter(struct error *err)
{
	return OK;
}
#endif
