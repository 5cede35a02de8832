"""Each call of a campaign that may fail, made to fail once or from then on."""

import errno

from campaign import *    # noqa: F401,F403

ERRORS = {
    'malloc': ('ENOMEM',),
    'write': ('EIO', 'ENOSPC', 'EDQUOT'),
    'sync': ('EIO',),
    'rename': ('EIO', 'ENOSPC'),
    'fork': ('EAGAIN', 'ENOMEM'),
    'mmap': ('ENOMEM',),
    'pipe': ('EPIPE',),
}


def called(path):
    """Where it failed, innermost first, without the shim's own."""
    if not os.path.exists(path):
        return None
    words = read(path).decode().split()
    return [w for w in words[1:] if not w.startswith('shim')][:10]


def fail_call(case, past):
    """One campaign in which a call fails; where that was, or None."""
    scenario, kind, n, ever, error = case
    prepare(scenario, past)
    env = {'SHIM_%s' % kind.upper(): str(n),
           'SHIM_ERRNO': str(getattr(errno, error))}
    if ever:
        env['SHIM_EVER'] = '1'
    r = campaign(scenario, env=env)
    r.wait(HARD_LIMIT)
    gone()
    at = called('fired')
    promised = announced(r)
    judge(r, kind, error, ever, at)
    whole(r, promised)
    next_one(scenario, promised)
    return at


def judge(r, kind, error, ever, at):
    """Its end is one of those it may have, and it says why."""
    said = r.stdout + r.stderr
    why = os.strerror(getattr(errno, error))
    check(r.status >= 0, 'it died of signal %d: %s', -r.status, r.describe())
    check(r.status in (1, 2, 3), 'exit status %d: %s', r.status, r.describe())
    if at is None:
        equal(r.status, 1, 'exit status without a fault (%s)' % r.describe())
        return
    if r.status in (2, 3) and kind != 'pipe':
        check(why in said, 'it does not say "%s": %s', why, r.describe())
    if kind == 'malloc' and 'out of memory' in said:
        equal(r.status, 3, 'exit status without memory')
    elif r.status == 1:
        kinds = {b.folder.split('/')[0] for b in r.buckets() if b.has('input')}
        equal(kinds, {'crashes', 'hangs'}, 'what is kept: %s' % r.describe())
        check_output(r)


def cases(scenario, calls, sites, stride):
    """[(scenario, kind, n, ever, error)] of all that may fail."""
    for kind, errors in ERRORS.items():
        if scenario == 'threads' and kind not in ('fork', 'mmap'):
            continue
        where = range(1, calls[kind] + 1)
        if kind == 'malloc' and stride > 0:
            where = sorted(set(sites) | set(range(1, calls[kind], stride)))
        for n in where:
            for ever in (False, True):
                if kind == 'malloc' and ever and stride > 0 and n % 10:
                    continue    # it ends at the first
                for error in errors:
                    yield scenario, kind, n, ever, error
