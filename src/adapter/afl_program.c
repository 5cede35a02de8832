/* afl_program: see afl_program.h. */

#include "adapter/afl_program.h"

#include <signal.h>
#include <sys/wait.h>

#include "shared/pages.h"
#include "target/server/process_tree.h"

#define AFL_DEPTH_MAX 16 /* a wrapper may stand before the program */

/*
 * Kills the process of the run. Its number is what the program says, so it may
 * be anybody's: E_TARGET if it does not descend from the program.
 */
static enum status
afl_program_kill(const struct afl_program *p, struct error *err)
{
	pid_t pid = p->run->pid;
	char state;
	int i;

	for (i = 0; i < AFL_DEPTH_MAX && pid > 1 && pid != p->server.pid; i++)
		pid = process_tree_parent(pid, &state);
	if (i > 0 && pid == 0)
		return OK; /* it has ended meanwhile */
	if (pid != p->server.pid) {
		p->run->lost = true;
		return error_set(err, E_TARGET,
			"the fork server of %s names a process that is not "
			"its own (%d)",
			p->server.path, (int)p->run->pid);
	}
	(void)kill(p->run->pid, SIGKILL);
	return OK;
}

enum status
afl_program_open(struct afl_program *p, struct error *err)
{
	p->run = pages_map_shared(sizeof(*p->run));
	if (p->run == NULL)
		return error_set(err, E_NOMEM, "no memory to start with");
	return afl_server_start(&p->server, &p->spec, err);
}

enum status
afl_program_open_again(struct afl_program *p, struct error *err)
{
	uint32_t size = p->server.map_size;

	*p->run = (struct afl_run){ .phase = AFL_IDLE };
	if (afl_server_start(&p->server, &p->spec, err) != OK)
		return err->code;
	return p->server.map_size == size
		? OK
		: error_set(err, E_TARGET,
			  "the map of %s has another size now: it was built "
			  "again",
			  p->server.path);
}

static enum status
afl_program_read_pid(struct afl_program *p, struct error *err)
{
	if (afl_server_pid(&p->server, &p->run->pid, err) != OK) {
		p->run->lost = true;
		return err->code;
	}
	p->run->phase = AFL_RUNNING;
	return OK;
}

static enum status
afl_program_read_status(struct afl_program *p, int *status, struct error *err)
{
	if (afl_server_status(&p->server, status, err) != OK) {
		p->run->lost = true;
		return err->code;
	}
	p->run->stopped = WIFSTOPPED(*status);
	p->run->phase = AFL_IDLE;
	return OK;
}

enum status
afl_program_take_over(struct afl_program *p, struct error *err)
{
	struct afl_run *run = p->run;
	int status;

	if (run->phase == AFL_COMMANDED && afl_program_read_pid(p, err) != OK)
		return err->code;
	if (run->phase == AFL_RUNNING &&
		(afl_program_kill(p, err) != OK ||
			afl_program_read_status(p, &status, err) != OK))
		return err->code;
	p->killed = run->stopped;
	if (p->killed && afl_program_kill(p, err) != OK)
		return err->code;
	run->stopped = false;
	return OK;
}

enum status
afl_program_begin(struct afl_program *p, pid_t *pid, struct error *err)
{
	p->run->phase = AFL_COMMANDED;
	if (afl_link_write(&p->server, p->killed, err) != OK) {
		p->run->lost = true;
		return err->code;
	}
	p->killed = false;
	if (afl_program_read_pid(p, err) != OK)
		return err->code;
	*pid = p->run->pid;
	return OK;
}

enum status
afl_program_end(struct afl_program *p, int limit_ms, int *status,
	struct error *err)
{
	if (limit_ms >= 0 && !afl_link_wait(&p->server, limit_ms) &&
		afl_program_kill(p, err) != OK)
		return err->code;
	return afl_program_read_status(p, status, err);
}
