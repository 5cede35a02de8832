#include "base/harden.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

void
harden_process(void)
{
	const struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

enum status
harden_check_user(struct error *err)
{
	if (getuid() == geteuid() && getgid() == getegid())
		return OK;
	return error_set(err, E_USAGE,
		"this program must not be setuid or setgid: it runs "
		"programs of its caller; remove that with `chmod "
		"u-s,g-s`");
}
