import { execFileSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { tarEntries } from '../../../services/cli/mba/tar-entries.ts';

describe('the files of a tar archive', () => {
  const long = `${'long-name-'.repeat(15)}.csv`;
  const contents: Readonly<Record<string, string>> = {
    'a.csv': 'short\n',
    'b.csv': 'x'.repeat(300_000),
    'c.csv': '',
    'd.csv': 'y'.repeat(512),
    [long]: 'last\n',
  };
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-tar-'));
    mkdirSync(join(folder, 'in'));
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(folder, 'in', name), content);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const format of ['ustar', 'gnu', 'pax'] as const) {
    it(`come out whole, one after the other, in the ${format} form`, async () => {
      const archive = join(folder, `${format}.tar`);
      // ustar cannot hold the long name.
      const names = Object.keys(contents).filter((name) => format !== 'ustar' || name !== long);
      execFileSync('tar', [
        `--format=${format}`,
        '-cf',
        archive,
        '-C',
        join(folder, 'in'),
        ...names,
      ]);
      const found: Record<string, string> = {};
      for await (const { path, content } of tarEntries(createReadStream(archive))) {
        found[basename(path)] = await text(content);
      }
      expect(found).to.deep.equal(Object.fromEntries(names.map((name) => [name, contents[name]])));
    });
  }

  it('can be left unread, whole or in the middle', async () => {
    const archive = join(folder, 'skip.tar');
    execFileSync('tar', ['-cf', archive, '-C', join(folder, 'in'), ...Object.keys(contents)]);
    const found: string[] = [];
    const small = createReadStream(archive, { highWaterMark: 1000 });
    for await (const { path, content } of tarEntries(small)) {
      found.push(basename(path));
      if (path === 'b.csv') {
        for await (const piece of content as AsyncIterable<Buffer>) {
          expect(piece.toString()).to.match(/^x+$/);
          break;
        }
      }
      if (path === long) expect(await text(content)).to.equal('last\n');
    }
    expect(found).to.deep.equal(Object.keys(contents));
  });

  it('that end too early are an error, not a shorter file', async () => {
    const archive = execFileSync('tar', ['-cf', '-', '-C', join(folder, 'in'), 'b.csv']);
    const cut = Readable.from([archive.subarray(0, 100_000)], { objectMode: false });
    let message = '';
    try {
      for await (const { content } of tarEntries(cut)) await text(content);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).to.equal('The archive ends in the middle of a file');
  });
});
