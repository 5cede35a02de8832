"""The disk as it is when the power fails: every change of a campaign is
written down (shim.c), and the directory is made again as it may be found after
each of them. What was not synced may be there, be there in part, or be gone."""

from lab import *    # noqa: F401,F403


class File:
    def __init__(self):
        self.data = self.synced = b''


class Folder:
    def __init__(self):
        self.entries, self.synced = {}, {}


class Disk:
    """What was done to a folder, and what of it is sure to stay."""

    def __init__(self, root):
        self.root = root
        self.top = Folder()

    def find(self, path):
        """(its folder, its name), or None for what lies elsewhere."""
        if not path.startswith(self.root + '/'):
            return None
        names = path[len(self.root) + 1:].split('/')
        folder = self.top
        for name in names[:-1]:
            folder = folder.entries.get(name)
            if not isinstance(folder, Folder):
                return None
        return folder, names[-1]

    def at(self, path):
        if path == self.root:
            return self.top
        place = self.find(path)
        return place and place[0].entries.get(place[1])

    def do(self, what, path, to, data):
        place, node = self.find(path), self.at(path)
        if what == 'sync' and isinstance(node, File):
            node.synced = node.data
        elif what == 'sync' and node:
            node.synced = dict(node.entries)
        elif not place:
            return
        elif what in ('create', 'mkdir') and not node:
            place[0].entries[place[1]] = File() if what == 'create' else \
                Folder()
        elif what == 'write' and isinstance(node, File):
            node.data += data
        elif what == 'cut' and isinstance(node, File):
            node.data = node.data[:int(data)]
        elif what == 'unlink':
            place[0].entries.pop(place[1], None)
        elif what == 'rename' and node and self.find(to):
            folder, name = self.find(to)
            folder.entries[name] = place[0].entries.pop(place[1])

    def make(self, path, how, node=None):
        """The folder as it is found: `how` is what became of the rest."""
        node = node or self.top
        os.makedirs(path, 0o700, exist_ok=True)
        for name, child in (node.synced if how == 'gone' else
                            node.entries).items():
            place = os.path.join(path, name)
            if isinstance(child, Folder):
                self.make(place, how, child)
                continue
            data = {'there': child.data, 'cut': child.data, 'gone':
                    child.synced, 'names only': child.synced}[how]
            if how == 'cut' and len(child.data) > len(child.synced):
                more = child.data[len(child.synced):]
                data = child.synced + more[:len(more) // 2]
            with open(place, 'wb') as f:
                f.write(data)
            os.chmod(place, 0o600)


def changes(path):
    """(what, path, to, data, bytes said before) of each line of the log."""
    log, at = read(path), 0
    while at < len(log):
        end = log.index(b'\n', at)
        what, n, said, where, to = log[at:end].decode().split('\t')
        at = end + 1 + int(n)
        yield what, where, to, log[end + 1:at], int(said)


def record():
    """A campaign with findings: its root, changes, words and findings."""
    os.mkdir('room')
    os.chdir('room')
    root = os.getcwd()
    log = os.path.join(os.path.dirname(root), 'log')
    r = run(fault_target(), '-j', 1, '--fuzztime', '400x', '--verify', '1',
            '--minimizetime', '10x', '--seeds', seeds([b'GGGG', b'FFFF']),
            env={'FAULT': 'abort', 'LD_PRELOAD': shim(), 'SHIM_LOG': log},
            status=1)
    final = {b.folder: b.input for b in r.buckets()}
    os.chdir('..')
    return root, list(changes(log)), r.stdout, final


def announced_by(text):
    """Findings that these words tell of."""
    return set(re.findall(r'out/(crashes/\S+)/input ', text))


def power_fails(runs):
    root, log, words, final = record()
    check(len(log) > 50, 'only %d changes were seen', len(log))
    steps = max(1, len(log) // runs)
    disk, most = Disk(root), 0
    for n, (what, path, to, data, said) in enumerate(log):
        disk.do(what, path, to, data)
        announced = announced_by(words[:said])
        most = max(most, len(announced))
        for how in ('gone', 'names only', 'cut', 'there'):
            try_disk(disk, n, how, announced, final, n % steps == 0)
    check(most > 0, 'nothing was announced before the last change')


def try_disk(disk, n, how, announced, final, starts):
    place = os.path.abspath('found')
    shutil.rmtree(place, ignore_errors=True)
    disk.make(place, how)
    at = 'after change %d (%s): ' % (n, how)
    for folder in announced & set(final):
        path = os.path.join(place, 'out', folder, 'input')
        check(os.path.exists(path), at + '%s was announced and is gone',
              folder)
        equal(read(path), final[folder], at + folder)
    if not starts:
        return
    r = start(fault_target(), '--fuzztime', '1x', '--verify', '0',
              '--minimizetime', '0', out=os.path.join(place, 'out'),
              env={'FAULT': ''}).wait()
    nobody_left()
    check(r.status in (0, 1), at + 'exit status %d: %s', r.status,
          r.describe())
