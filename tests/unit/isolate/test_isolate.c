/*
 * isolate: what a target can do in namespaces of its own, and what is said
 * where the machine does not allow them. The test's program is the target.
 */
#include "isolate/isolate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/refuse.h"
#include "lib/tree.h"

#define FAILED 71 /* exit status of a helper */
#define NOBODY 65534
#define SOMEBODY 65533 /* whose keys no row uses up */
#define PROBE "probe"
#define COPY "copy" /* of this program, in the tree */
#define TREE "TREE"

/* ---- in the target ------------------------------------------------------- */

static bool
fails_with(long result, int errnum)
{
	return result < 0 && errno == errnum;
}

/* -1: it cannot be read. */
static int
count_names(const char *path, bool digits)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	int n = 0;

	if (dir == NULL)
		return -1;
	while ((entry = readdir(dir)) != NULL)
		n += digits ? entry->d_name[0] >= '1' && entry->d_name[0] <= '9'
			    : entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static bool
probe_home(const char *folder)
{
	char cwd[64];

	return getcwd(cwd, sizeof(cwd)) != NULL && strcmp(cwd, "/tmp") == 0 &&
		strcmp(getenv("TMPDIR"), "/tmp") == 0 &&
		count_names("/tmp", false) <= 1 && mkdir("mine", 0700) == 0 &&
		open("/dev/shm/mine", O_CREAT | O_RDWR, 0600) >= 0;
}

/* A folder of users that the target is not in. */
static const char *
strange_home(void)
{
	char exe[8] = "";

	return readlink("/proc/self/exe", exe, sizeof(exe) - 1) >= 0 &&
			strncmp(exe, "/home/", strlen("/home/")) == 0
		? "/root"
		: "/home";
}

static bool
probe_system(const char *folder)
{
	return fails_with(mkdir("/new", 0700), EROFS) &&
		fails_with(open("/etc/new", O_CREAT | O_WRONLY, 0600), EROFS) &&
		fails_with(access(strange_home(), F_OK), ENOENT) &&
		fails_with(access("/.old", F_OK), ENOENT) &&
		access("/usr", X_OK) == 0 && open("/dev/null", O_RDWR) >= 0;
}

/* It keeps that of the user. */
static bool
probe_umask(const char *folder)
{
	return umask(0) == 077;
}

static bool
probe_user(const char *folder)
{
	return getuid() != 0 && getgid() != 0 &&
		mount("x", "/tmp", "tmpfs", 0, NULL) != 0 &&
		unshare(CLONE_NEWUSER) != 0 && setuid(0) != 0;
}

static bool
probe_calls(const char *folder)
{
	return fails_with(socket(AF_VSOCK, SOCK_STREAM, 0), EAFNOSUPPORT) &&
		socket(AF_UNIX, SOCK_STREAM, 0) >= 0 &&
		socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

/* Process 1 is the init, 2 the target. */
static bool
probe_processes(const char *folder)
{
	(void)kill(1, SIGKILL); /* is ignored */
	return getpid() == 2 && count_names("/proc", true) == 2;
}

static bool
probe_readable(const char *folder)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/file", folder);
	return access(name, R_OK) == 0 &&
		fails_with(open(name, O_WRONLY), EROFS);
}

static bool
probe_hidden(const char *folder)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/secret", folder);
	return count_names(name, false) == 0;
}

static bool
probe_absent(const char *folder)
{
	return fails_with(access(folder, F_OK), ENOENT);
}

/* The target itself is seen, and nothing else of its folder. */
static bool
probe_alone(const char *folder)
{
	char name[PATH_MAX], copy[PATH_MAX];

	snprintf(name, sizeof(name), "%s/file", folder);
	snprintf(copy, sizeof(copy), "%s/" COPY, folder);
	return fails_with(access(name, F_OK), ENOENT) &&
		access(copy, R_OK) == 0;
}

static bool
probe_limit(const char *folder)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
		limit.rlim_cur == 3u << 20;
}

/* The init ends with the target, whoever is left. */
static bool
probe_orphan(const char *folder)
{
	if (fork() == 0)
		for (;;)
			pause();
	return true;
}

static bool
probe_signal(const char *folder)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return false;
}

static bool
probe_no(const char *folder)
{
	return false;
}

/* ---- before the start ---------------------------------------------------- */

static void
write_setting(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		_exit(99);
	close(fd);
}

static void
become_user(const char *folder)
{
	if (geteuid() != 0)
		return;
	if (setresgid(SOMEBODY, SOMEBODY, SOMEBODY) != 0 ||
		setresuid(SOMEBODY, SOMEBODY, SOMEBODY) != 0)
		_exit(99);
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/* What is made for the target must be open to it all the same. */
static void
close_to_others(const char *folder)
{
	(void)umask(077);
}

/* In a user namespace of its own the limits can be lowered. */
static void
enter_namespace(const char *folder)
{
	char users[32], groups[32];

	snprintf(users, sizeof(users), "0 %u 1", (unsigned)geteuid());
	snprintf(groups, sizeof(groups), "0 %u 1", (unsigned)getegid());
	if (unshare(CLONE_NEWUSER) != 0)
		_exit(99);
	write_setting("/proc/self/setgroups", "deny");
	write_setting("/proc/self/uid_map", users);
	write_setting("/proc/self/gid_map", groups);
}

static void
forbid_users(const char *folder)
{
	enter_namespace(folder);
	write_setting("/proc/sys/user/max_user_namespaces", "0");
}

static void
forbid_networks(const char *folder)
{
	enter_namespace(folder);
	write_setting("/proc/sys/user/max_net_namespaces", "0");
}

/* As AppArmor does: a new user namespace, but no rights in it. */
static void
forbid_rights(const char *folder)
{
	refuse_call(SYS_openat, 2, O_WRONLY | O_CLOEXEC, EACCES);
}

/* As AppArmor does in a container. */
static void
forbid_mounts(const char *folder)
{
	refuse_call(SYS_mount, 3, MS_REC | MS_PRIVATE, EACCES);
}

static void
forbid_keyrings(const char *folder)
{
	refuse_call(SYS_keyctl, 0, KEYCTL_JOIN_SESSION_KEYRING, EDQUOT);
}

/* As many workers of root at once would, if nobody owned their keyrings. The
 * keys end with this process's keyring; a kernel may have none. */
static void
use_up_keys_of_nobody(const char *folder)
{
	char name[32];
	unsigned n = 0, round;

	(void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	(void)setfsuid(NOBODY);
	for (round = 0; round < 3; round++) {
		do
			snprintf(name, sizeof(name), "cfuzz-%u", n++);
		while (syscall(SYS_add_key, "user", name, "x", 1,
			       KEY_SPEC_SESSION_KEYRING) >= 0);
		/* The kernel gives back those of processes that have ended. */
		(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	}
	(void)setfsuid(0);
}

static void
enter_chroot(const char *folder)
{
	if (chroot(folder) != 0)
		_exit(99);
}

/* As the system lists the user; outside of everything that is shown. */
static const char *listed_home = "/nowhere";

static void
be_listed_there(const char *folder)
{
	listed_home = folder;
	if (setenv("HOME", "/nowhere", 1) != 0)
		_exit(99);
}

static void
be_listed_without_home(const char *folder)
{
	listed_home = folder;
	if (unsetenv("HOME") != 0)
		_exit(99);
}

static void
live_nowhere(const char *folder)
{
	listed_home = NULL;
	if (unsetenv("HOME") != 0)
		_exit(99);
}

static void
live_there(const char *folder)
{
	if (setenv("HOME", folder, 1) != 0)
		_exit(99);
}

/* As where homes are mounted: the link is of no use in another root. */
static void
live_behind_link(const char *folder)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/home", folder);
	if (symlink(folder, name) != 0)
		_exit(99);
	live_there(name);
}

static void
close_target(const char *folder)
{
	close(WORKER_FD_PROGRAM);
}

/* The engine is gone: the other end of the target's input. */
static void
hang_up(const char *folder)
{
	int ends[2];

	if (pipe(ends) != 0 ||
		dup2(ends[0], WORKER_FD_DEFAULT + WORKER_FD_IN) < 0)
		_exit(99);
	close(ends[1]);
}

static void
lose_target(const char *folder)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/" COPY, folder);
	if (unlink(name) != 0)
		_exit(99);
}

static void
lose_target_too(const char *folder)
{
	close_to_others(folder);
	lose_target(folder);
}

static void
replace_secret(const char *folder)
{
	char name[PATH_MAX], other[PATH_MAX];

	snprintf(name, sizeof(name), "%s/secret", folder);
	snprintf(other, sizeof(other), "%s/open", folder);
	if (rename(name, other) != 0 ||
		open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) < 0)
		_exit(99);
}

static void
forbid_target(const char *folder)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/" COPY, folder);
	if (chmod(name, 0600) != 0)
		_exit(99);
}

/* ---- the table ----------------------------------------------------------- */

/* clang-format off */
static const struct row {
	const char *name;
	bool (*probe)(const char *folder); /* NULL: a try */
	void (*before)(const char *folder);
	bool copy;	/* the target is in the tree, not in the build folder */
	const char *readable; /* a path; NULL: none */
	int status, signal; /* the end of the helper */
	const char *says; /* on standard error, in one line; "": nothing */
} CASES[] = {
	{ "its home", probe_home, NULL, false, NULL, 0, 0, "" },
	{ "the system", probe_system, NULL, false, NULL, 0, 0, "" },
	{ "its user", probe_user, NULL, false, NULL, 0, 0, "" },
	{ "system calls", probe_calls, NULL, false, NULL, 0, 0, "" },
	{ "processes", probe_processes, NULL, false, NULL, 0, 0, "" },
	{ "a readable folder", probe_readable, NULL, false, TREE, 0, 0, "" },
	{ "another folder", probe_absent, NULL, false, NULL, 0, 0, "" },
	{ "a hidden folder", probe_hidden, NULL, false, TREE, 0, 0, "" },
	{ "the limit of files", probe_limit, NULL, false, NULL, 0, 0, "" },
	{ "a process is left", probe_orphan, NULL, false, NULL, 0, 0, "" },
	{ "it fails", probe_no, NULL, false, NULL, 1, 0, "" },
	{ "a signal", probe_signal, NULL, false, NULL, 0, SIGSEGV, "" },
	{ "a copy", probe_system, NULL, true, NULL, 0, 0, "" },
	{ "a removed copy", probe_home, lose_target, true, NULL, 0, 0, "" },
	{ "a umask, its home", probe_home, close_to_others, false, NULL, 0, 0,
		"" },
	{ "a umask, the system", probe_system, close_to_others, false, NULL, 0,
		0, "" },
	{ "a umask, its own", probe_umask, close_to_others, false, NULL, 0, 0,
		"" },
	{ "a umask, a removed copy", probe_home, lose_target_too, true, NULL, 0,
		0, "" },
	{ "an ordinary user", probe_user, become_user, true, NULL, 0, 0, "" },
	{ "root of a user namespace", probe_user, enter_namespace, true, NULL,
		0, 0, "" },
	{ "a try", NULL, NULL, false, NULL, 0, 0, "" },
	{ "no user namespaces", NULL, forbid_users, false, NULL, FAILED, 0,
		"--isolate: this machine allows no user namespaces, as "
		"user.max_user_namespaces is 0: `sysctl" },
	{ "no rights in a user namespace", NULL, forbid_rights, false, NULL,
		FAILED, 0,
		"--isolate: namespaces cannot be made here: Permission denied; "
		"in a container" },
	{ "too many namespaces", NULL, forbid_networks, false, NULL, FAILED,
		0, "--isolate: too many namespaces" },
	{ "no rights to mount", NULL, forbid_mounts, false, NULL, FAILED, 0,
		"docker: --user 1000 --security-opt seccomp=unconfined "
		"--security-opt apparmor=unconfined" },
	{ "too many keyrings", NULL, forbid_keyrings, false, NULL, FAILED, 0,
		"kernel.keys.maxkeys" },
	{ "nobody has too many keyrings", probe_user, use_up_keys_of_nobody,
		false, NULL, 0, 0, "" },
	{ "a chroot", NULL, enter_chroot, false, NULL, FAILED, 0,
		"--isolate: " },
	{ "no target", NULL, close_target, false, NULL, 2, 0,
		"--isolated-target is how cfuzz starts itself" },
	{ "the engine is gone", probe_no, hang_up, false, NULL, 0, 0, "" },
	{ "a copy in a readable folder", probe_readable, NULL, true, TREE, 0, 0,
		"" },
	{ "its folder", probe_readable, NULL, true, NULL, 0, 0, "" },
	{ "its folder is a home", probe_alone, live_there, true, NULL, 0, 0,
		"" },
	{ "its folder is a home, by a link", probe_alone, live_behind_link,
		true, NULL, 0, 0, "" },
	{ "its folder is a home, with another HOME", probe_alone,
		be_listed_there, true, NULL, 0, 0, "" },
	{ "its folder is a home, without HOME", probe_alone,
		be_listed_without_home, true, NULL, 0, 0, "" },
	{ "no home is known", probe_alone, live_nowhere, true, NULL, 0, 0, "" },
	{ "no such readable path", NULL, NULL, false, "/nowhere", FAILED, 0,
		"--isolate: cannot show /nowhere: No such file" },
	{ "a file to hide", NULL, replace_secret, false, TREE, FAILED, 0,
		"/secret: Not a directory" },
	{ "no right to execute", probe_no, forbid_target, true, NULL, FAILED,
		0, "--isolate: cannot execute target: Permission denied; a target of root" },
	{ "a try without that right", NULL, forbid_target, true, NULL, FAILED,
		0, "--isolate: cannot execute the target: Permission denied" },
};
/* clang-format on */

#define CASES_N ROWS(CASES)

/* In a new process: becomes the helper. */
static void
start_helper(const struct row *row, const char *folder, int target_fd)
{
	char number[ISOLATE_NUMBER], index[16], hidden[PATH_MAX];
	char *hidden_list[] = { hidden };
	bool tree = row->readable == NULL || strcmp(row->readable, TREE) == 0;
	char *readable[] = { (
		char *)(uintptr_t)(tree ? folder : row->readable) };
	struct isolate_spec spec = { .hidden = hidden_list,
		.hidden_n = 1,
		.readable = readable,
		.readable_n = row->readable != NULL,
		.file_limit_mb = 3 };
	char *target[] = { (char *)"target", (char *)PROBE, index,
		(char *)(uintptr_t)folder, NULL };
	char **argv;
	int argc = 0, status = 98;

	snprintf(index, sizeof(index), "%zu", (size_t)(row - CASES));
	snprintf(hidden, sizeof(hidden), "%s/secret", folder);
	for (int fd = WORKER_FD_DEFAULT; fd < WORKER_FD_PROGRAM; fd++)
		dup2(STDIN_FILENO, fd);
	dup2(target_fd, WORKER_FD_PROGRAM);
	if (row->before != NULL)
		row->before(folder);
	spec.home = listed_home;
	argv = isolate_argv(&spec, row->probe != NULL ? target : NULL, number);
	while (argv[argc] != NULL)
		argc++;
	if (!isolate_main(argc, argv, &status))
		status = 97;
	_exit(status);
}

static void
copy_self(const struct tree *tree)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map;

	assert_int_equal(fstat(from, &st), 0);
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, from, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	tree_write(tree, COPY, map, (size_t)st.st_size);
	munmap(map, (size_t)st.st_size);
	close(from);
	assert_int_equal(chmod(tree_path(tree, COPY), 0755), 0);
	assert_int_equal(chmod(tree->path, 0755), 0);
}

/* A machine that allows no namespaces says so. */
static bool
has_namespaces(const struct tree *tree)
{
	const struct isolate_spec spec = { .hidden = NULL };
	struct error err = { 0 };
	int fd = open(tree_path(tree, COPY), O_RDONLY | O_CLOEXEC);
	enum status status = isolate_try(&spec, fd, &err);

	close(fd);
	if (status == OK)
		return true;
	print_message("%s\n", err.text);
	assert_non_null(strstr(err.text, "--isolate: "));
	return false;
}

static int
run_row(const struct row *row, const struct tree *tree, char *said, size_t size)
{
	int status = 0, target_fd, ends[2], null = open("/dev/null", O_RDWR);
	ssize_t len;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	target_fd = open(row->copy ? tree_path(tree, COPY) : "/proc/self/exe",
		O_RDONLY | O_CLOEXEC);
	assert_true(target_fd >= 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		target_fd = fcntl(target_fd, F_DUPFD, 50);
		dup2(null, STDIN_FILENO);
		dup2(ends[1], STDERR_FILENO);
		start_helper(row, tree->path, target_fd);
	}
	close(ends[1]);
	close(target_fd);
	close(null);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	len = read(ends[0], said, size - 1);
	said[len > 0 ? len : 0] = '\0';
	close(ends[0]);
	return status;
}

static void
test_row(void **state)
{
	const struct row *row = *state;
	struct tree *tree;
	char said[4096];
	void *opened;
	int status = 0;
	bool allowed;

	if (geteuid() != 0 &&
		(row->before == enter_chroot ||
			row->before == use_up_keys_of_nobody))
		skip();
	assert_int_equal(tree_open(&opened), 0);
	tree = opened;
	copy_self(tree);
	tree_text(tree, "file", "text");
	assert_int_equal(chmod(tree_path(tree, "file"), 0666), 0);
	tree_folder(tree, "secret");
	tree_text(tree, "secret/key", "key");
	allowed = has_namespaces(tree);
	if (allowed)
		status = run_row(row, tree, said, sizeof(said));
	tree_close(&opened);
	if (!allowed)
		skip();
	if (row->signal != 0)
		row_check(WIFSIGNALED(status) &&
				WTERMSIG(status) == row->signal,
			"%#x %s", (unsigned)status, said);
	else
		row_check(WIFEXITED(status) &&
				WEXITSTATUS(status) == row->status,
			"%#x %s", (unsigned)status, said);
	row_check(row->says[0] == '\0' ? said[0] == '\0'
				       : strstr(said, row->says) != NULL,
		"`%s`", said);
}

/* ---- a try --------------------------------------------------------------- */

static void
test_try(void **state)
{
	const struct tree *tree = *state;
	const struct isolate_spec spec = { .hidden = NULL };
	struct error err = { 0 };
	int ends[2], fd;

	copy_self(tree);
	if (!has_namespaces(tree))
		skip();
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(isolate_try(&spec, ends[0], &err), E_USAGE);
	assert_non_null(strstr(err.text, "--isolate: the target has no path"));
	assert_int_equal(chmod(tree_path(tree, COPY), 0600), 0);
	fd = open(tree_path(tree, COPY), O_RDONLY | O_CLOEXEC);
	error_clear(&err);
	assert_int_equal(isolate_try(&spec, fd, &err), E_USAGE);
	assert_non_null(strstr(err.text, "cannot execute the target"));
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

/* ---- the folder of the target -------------------------------------------- */

/* What the target has of its own stays empty. */
static void
test_too_wide(void **state)
{
	static const struct {
		const char *path;
		bool wide;
	} rows[] = {
		{ "/target", true },
		{ "/srv/target", false },
		{ "/tmp/target", true },
		{ "/tmp/folder/target", false },
		{ "/dev/target", true },
		{ "/dev/shm/target", true },
		{ "/dev/shm/folder/target", false },
	};
	const char *home = getenv("HOME");
	char *before = home != NULL ? strdup(home) : NULL;

	/* The tester's may be a folder of these. */
	assert_int_equal(setenv("HOME", "/nowhere", 1), 0);
	for (size_t i = 0; i < ROWS(rows); i++)
		row_check(isolate_folder_too_wide(rows[i].path, "/nowhere") ==
				rows[i].wide,
			"%s", rows[i].path);
	if (before != NULL)
		assert_int_equal(setenv("HOME", before, 1), 0);
	else
		assert_int_equal(unsetenv("HOME"), 0);
	free(before);
}

/* ---- the command line ---------------------------------------------------- */

static void
test_argv(void **state)
{
	static char a[] = "/a", b[] = "/b", target[] = "t", arg[] = "";
	static char h[] = "/h", h2[] = "/i";
	char *hidden[] = { h, h2 }, *readable[] = { a, b },
	     *argv[] = { target, arg, NULL };
	const struct isolate_spec spec = { .home = "/u",
		.hidden = hidden,
		.hidden_n = 2,
		.readable = readable,
		.readable_n = 2,
		.file_limit_mb = UINT64_MAX };
	static const char *const want[] = { "cfuzz", ISOLATE_OPTION,
		"18446744073709551615", "/u", "/h", "/i", "", "/a", "/b", "",
		"t", "", NULL };
	char number[ISOLATE_NUMBER];
	char **all = isolate_argv(&spec, argv, number);

	for (size_t i = 0; want[i] != NULL; i++)
		assert_string_equal(all[i], want[i]);
	assert_null(all[ROWS(want) - 1]);
	free(all);
}

/* Only the target loads what LD_PRELOAD names. */
static void
test_envp(void **state)
{
	static char path[] = "PATH=/bin", preload[] = "LD_PRELOAD=/a.so:/b.so",
		    near[] = "LD_PRELOAD_=x", empty[] = "LD_PRELOAD=";
	char *envp[] = { path, preload, near, empty, NULL };
	static const char *const want[] = { "PATH=/bin",
		"CFUZZ_PRELOAD=/a.so:/b.so", "LD_PRELOAD_=x",
		"CFUZZ_PRELOAD=" };
	char **all = isolate_envp(envp);

	for (size_t i = 0; i < ROWS(want); i++) {
		assert_string_equal(all[i], want[i]);
		free(all[i]);
	}
	assert_null(all[ROWS(want)]);
	free(all);
	assert_null(isolate_envp(NULL));
}

static void
test_other_lines(void **state)
{
	char *none[] = { (char *)"cfuzz", NULL };
	char *run[] = { (char *)"cfuzz", (char *)"run", NULL };
	int status = -1;

	assert_false(isolate_main(1, none, &status));
	assert_false(isolate_main(2, run, &status));
	assert_int_equal(status, -1);
}

int
main(int argc, char **argv)
{
	struct CMUnitTest tests[CASES_N + 5] = {
		cmocka_unit_test_setup_teardown(test_try, tree_open,
			tree_close),
		cmocka_unit_test(test_too_wide),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_envp),
		cmocka_unit_test(test_other_lines),
	};
	int status;

	if (isolate_main(argc, argv, &status))
		return status;
	if (argc == 4 && strcmp(argv[1], PROBE) == 0)
		_exit(!CASES[strtoul(argv[2], NULL, 10)].probe(argv[3]));
	/* Targets of root are another user's, whatever the mask of the build. */
	(void)chmod("/proc/self/exe", 0755);
	for (size_t i = 0; i < CASES_N; i++)
		tests[5 + i] = (struct CMUnitTest){ CASES[i].name, test_row,
			NULL, NULL, (void *)(uintptr_t)&CASES[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
