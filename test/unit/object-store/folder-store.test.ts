import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { folderStore } from '../../../services/shared/object-store/folder-store.ts';

describe('the folder store', () => {
  let parent: string;

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'netpanel-folder-'));
  });
  after(() => rm(parent, { recursive: true }));

  it('lets only its own user read the files, also while they are written', async () => {
    const folder = join(parent, 'exports');
    const store = folderStore({ folder, signedLink: (key) => key });
    const modes = { duringWrite: [] as string[], afterWrite: [] as string[] };
    async function* content() {
      yield Buffer.from('isp\n');
      modes.duringWrite = await modesOf(folder);
      yield Buffer.from('Example Fibre\n');
    }
    const key = '7/2026-01-31/a.csv';
    const file = { key, contentType: 'text/csv', fileName: 'a.csv' };
    await store.write(file, content(), new AbortController().signal);
    modes.afterWrite = await modesOf(folder);
    expect(modes.duringWrite.join()).to.match(/600 a\.csv\.[0-9a-f]{8}\.partial/);
    expect(modes.afterWrite).to.deep.equal(['600 a.csv', '700 .', '700 2026-01-31', '700 7']);
  });

  // Creating the file and removing it run in libuv's threads, which the key derivation delays.
  it('leaves nothing of a file whose source fails at once, also on a busy machine', async () => {
    const store = folderStore({ folder: join(parent, 'failed'), signedLink: (key) => key });
    const left: string[] = [];
    for (let i = 0; i < 300; i++) {
      for (let thread = 0; thread < 4; thread++)
        pbkdf2('', '', 2_000, 32, 'sha256', () => undefined);
      const file = { key: `7/${i}.csv`, contentType: 'text/csv', fileName: `${i}.csv` };
      await store.write(file, failing(), new AbortController().signal).catch(() => undefined);
      for await (const key of store.unfinished()) left.push(key);
    }
    expect(left).to.deep.equal([]);
  });

  it('creates its folder for its own user only', async () => {
    const folder = join(parent, 'checked');
    await folderStore({ folder, signedLink: (key) => key }).check();
    expect(await modesOf(folder)).to.deep.equal(['700 .']);
  });
});

async function* failing(): AsyncGenerator<Buffer> {
  yield* await Promise.reject<Buffer[]>(new Error('the source failed'));
}

/** `600 a.csv` of the folder and everything in it, sorted. */
async function modesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const inside = entries.map((entry) => modeOf(join(entry.parentPath, entry.name), entry.name));
  return (await Promise.all([modeOf(folder, '.'), ...inside])).sort();
}

async function modeOf(path: string, name: string): Promise<string> {
  return `${((await stat(path)).mode & 0o777).toString(8)} ${name}`;
}
