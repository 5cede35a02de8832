"""Programs that forbid themselves system calls, with seccomp(2)."""

HEAD = '''
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LOAD(member) \\
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(answer) BPF_STMT(BPF_RET | BPF_K, answer)
#define OF(call, answer) \\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), ANSWER(answer)

/* From now on a forbidden call gets the answer, SECCOMP_RET_... */
static void
sandbox(unsigned answer)
{
	struct sock_filter code[] = { LOAD(nr), %s };
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		abort();
}
'''
KILL, TRAP = 'SECCOMP_RET_KILL_PROCESS', 'SECCOMP_RET_TRAP'
REFUSE = 'SECCOMP_RET_ERRNO | 1'


def only(*calls):
    """C code of sandbox(), which forbids all but these calls."""
    allowed = ['OF(SYS_%s, SECCOMP_RET_ALLOW)' % call for call in calls]
    return HEAD % ', '.join(allowed + ['ANSWER(answer)'])


def without(call):
    """C code of sandbox(), which forbids this call."""
    return HEAD % ('OF(SYS_%s, answer), ANSWER(SECCOMP_RET_ALLOW)' % call)


def no_new_code():
    """C code of sandbox(), which forbids mprotect(..., PROT_EXEC)."""
    return HEAD % '''
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
		LOAD(args[2]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
		ANSWER(answer), ANSWER(SECCOMP_RET_ALLOW)'''
