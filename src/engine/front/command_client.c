/* command_client: who controls, who watches, who leaves; see server.h. */
#include "engine/front/commands.h"

#include "control/command.h"
#include "engine/front/server.h"
#include "engine/parts.h"

enum status
command_take(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	(void)c;
	return server_take(engine_server(e), answer, size, err);
}

enum status
command_give(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	return server_give(engine_server(e), c->argc > 0 ? c->argv[0] : NULL,
		answer, size, err);
}

enum status
command_detach(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	(void)c;
	return server_detach(engine_server(e), answer, size, err);
}
