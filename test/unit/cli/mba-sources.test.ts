import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { mbaSources } from '../../../services/cli/mba/mba-sources.ts';

describe('the files of an MBA archive', () => {
  const longFolder = 'long-name-'.repeat(15);
  const contents: Readonly<Record<string, string>> = {
    'curr_httpgetmt.csv': 'short\n',
    'curr_dlping.csv': 'x'.repeat(3_000_000),
    'readme.txt': 'not a result file',
    'curr_udplatency.csv': '',
    'curr_httpget6.csv': 'y'.repeat(512),
    [`${longFolder}/curr_udpcloss.csv`]: 'last\n',
  };
  const names = Object.keys(contents);
  const resultFiles = names.filter((name) => name.endsWith('.csv'));
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-mba-'));
    mkdirSync(join(folder, 'in', longFolder), { recursive: true });
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(folder, 'in', name), content);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const archived = (...options: readonly string[]): string => {
    const archive = join(folder, 'release.tar');
    execFileSync('tar', [...options, '-cf', archive, '-C', join(folder, 'in'), ...names]);
    return archive;
  };
  const baseName = (path: string) => path.replace(/^.*\//, '');

  for (const format of ['ustar', 'gnu', 'pax', 'gzip'] as const) {
    it(`are read completely from the ${format} format`, async () => {
      const archive = archived(format === 'gzip' ? '-z' : `--format=${format}`);
      const found: Record<string, string> = {};
      for await (const { name, input } of mbaSources(archive)) {
        found[name] = await text(input.content);
      }
      expect(found).to.deep.equal(
        Object.fromEntries(resultFiles.map((name) => [baseName(name), contents[name]])),
      );
    });
  }

  it('can be skipped before or during reading', async () => {
    const found: string[] = [];
    for await (const { name, input } of mbaSources(archived())) {
      const { content } = input;
      found.push(name);
      if (name === 'curr_dlping.csv') {
        for await (const piece of content as AsyncIterable<Buffer>) {
          expect(piece.toString()).to.match(/^x+$/);
          break;
        }
      }
      if (name === 'curr_udpcloss.csv') expect(await text(content)).to.equal('last\n');
    }
    expect(found).to.deep.equal(resultFiles.map(baseName));
  });

  it('cause an error if the archive is truncated', async () => {
    const archive = archived();
    writeFileSync(archive, readFileSync(archive).subarray(0, 100_000));
    let message = '';
    try {
      for await (const { input } of mbaSources(archive)) await text(input.content);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).to.equal('Unexpected end of data');
  });
});
