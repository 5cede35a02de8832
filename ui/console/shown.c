/* shown: see shown.h. */
#include "ui/console/shown.h"

#include "control/settings.h"

enum status
shown_check_options(const struct settings *settings, struct error *err)
{
	static const bool shown[OPT_COUNT_] = {
		[OPT_RECORD] = true,
		[OPT_DEBUG] = true,
		[OPT_THEME] = true,
		[OPT_KEYS] = true,
		[OPT_NO_MOUSE] = true,
		[OPT_NO_COLOR] = true,
		[OPT_ASCII] = true,
		[OPT_HELP] = true,
		[OPT_VERSION] = true,
	};
	int i;

	for (i = 0; i < OPT_COUNT_; i++)
		if (!shown[i] && settings->origin[i] != ORIGIN_DEFAULT)
			return error_set(err, E_USAGE,
				"--%s is for the start of a campaign, and an "
				"output directory is only shown: leave the "
				"option out, or name a target",
				settings_option((enum option_id)i)->name);
	return OK;
}

enum status
shown_check_operands(char **operands, const char *program, struct error *err)
{
	if (operands[0] == NULL || operands[1] == NULL)
		return OK;
	if (operands[1][0] == '-')
		return error_set(err, E_USAGE,
			"options stand before the output directory: %s "
			"[OPTION]... OUT",
			program);
	return error_set(err, E_USAGE,
		"an output directory takes no arguments: %s OUT", program);
}
