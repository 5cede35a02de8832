"""The disk is full from the k-th byte on: for good, or until somebody has made
room when the engine has said so."""

from campaign import *    # noqa: F401,F403

FULL = 'No space left on device'


def written(scenario, past):
    """Bytes that a campaign writes to files."""
    import powerloss
    prepare(scenario, past)
    log = os.path.abspath('log')
    campaign(scenario, env={'SHIM_LOG': log}).end(1)
    return sum(len(data) for what, _, _, data, _ in powerloss.changes(log)
               if what == 'write')


def fill(case, past):
    """One campaign on such a disk: whether it was full."""
    scenario, _, at, what = case
    again = what == 'freed'
    prepare(scenario, past)
    full = os.path.abspath('full')
    r = campaign(scenario, env={'SHIM_ROOM': str(at), 'SHIM_FULL': full},
                 options=['--fuzztime', '2s'] if again else [])
    if again:
        wait_for(lambda: r.process.poll() is not None or (
            os.path.exists(full) and FULL in r.stdout), 'a full disk', 60)
        if os.path.exists(full):
            os.unlink(full)
    r.wait(HARD_LIMIT)
    gone()
    promised = announced(r)
    was_full = os.path.exists('fired')
    judge_disk(r, was_full, again)
    whole(r, promised)
    next_one(scenario, promised)
    return was_full


def judge_disk(r, was_full, again):
    said = r.stdout.count(FULL) + r.stderr.count(FULL)
    check(r.status in (1, 2, 3), 'exit status %d: %s', r.status, r.describe())
    if not was_full:
        equal((r.status, said), (1, 0), 'status and words (%s)' % r.describe())
        return
    check(said == 1, 'it says %d times that the disk is full: %s', said,
          r.describe())
    # coverage.jsonl alone is a warning: the next run makes it again.
    complete = again or 'warning: the coverage is not kept: ' in (
        r.stdout + r.stderr)
    if complete and r.status == 1:
        check_output(r)
        kinds = {b.folder.split('/')[0] for b in r.buckets() if b.has('input')}
        equal(kinds, {'crashes', 'hangs'}, 'what is kept: %s' % r.describe())
    elif again:    # there was room again when all was over
        check(r.status == 2 or FULL in r.stderr or 'not written' in r.stdout,
              'exit status %d: %s', r.status, r.describe())
    else:
        check(r.status in (2, 3), 'nothing is lost: %s', r.describe())


def cases(scenario, n, steps):
    step = max(1, n // steps)
    for at in [0, 1] + list(range(step, n + step, step)):
        for what in ('full', 'freed'):
            yield scenario, 'disk', at, what
