/* command_line: see command_line.h. */

#include "worker/target/command_line.h"

#include "base/xmalloc.h"
#include "worker/target/foreign.h"

int
command_line_fd(const struct target_info *info)
{
	return info->adapter_fd > 0 ? info->adapter_fd : info->fd;
}

int
command_line_program_fd(const struct target_info *info)
{
	return info->adapter_fd > 0 ? info->fd : 0;
}

char **
command_line_create(const struct target_info *info, char *const *args)
{
	size_t n = 0, args_n = 0;
	char **argv;

	while (args != NULL && args[args_n] != NULL)
		args_n++;
	argv = xcalloc(args_n + 3, sizeof(*argv));
	if (info->adapter_fd > 0)
		argv[n++] = xstrdup(FOREIGN_ADAPTER);
	argv[n++] = xstrdup(info->path);
	for (size_t i = 0; i < args_n; i++)
		argv[n++] = xstrdup(args[i]);
	return argv;
}

enum status
command_line_show(const struct target_info *info, struct isolation *isolation,
	struct error *err)
{
	char library[PATH_MAX];

	if (info->adapter_fd > 0 && foreign_find_library(library) &&
		isolation_show(isolation, library, err) != OK)
		return err->code;
	if (info->adapter_fd > 0)
		return isolation_show_beside(isolation, info->path, err);
	return info->preload[0] != '\0'
		? isolation_show(isolation, info->preload, err)
		: OK;
}
