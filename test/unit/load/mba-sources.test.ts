import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { zipArchive } from '../../../deploy/local/sample/mba/zip-archive.ts';
import { mbaSources } from '../../../services/load/mba/mba-sources.ts';

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

describe('the files of an MBA release', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'netpanel-mba-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  /** Paths and contents. */
  const found = async (path: string) => {
    const files: [string, string][] = [];
    for await (const source of mbaSources(path)) {
      files.push([source.path, await text(source.input.content)]);
    }
    return Object.fromEntries(files);
  };
  const large = 'z'.repeat(2_000_000);
  const inner = zipArchive({ 'readme.txt': '', 'deep/CURR_DNS_2014_01.CSV': large });
  const release = {
    '201401/curr_ping_2014_01.csv': 'ping\n',
    'other.csv': 'other\n',
    '201401/inner.zip': inner,
    'curr_webget_2014_01.csv.gz': gzipSync('webget\n'),
  };
  const contents = (archive: string) => ({
    [`${archive}/201401/curr_ping_2014_01.csv`]: 'ping\n',
    [`${archive}/201401/inner.zip/deep/CURR_DNS_2014_01.CSV`]: large,
    [`${archive}/curr_webget_2014_01.csv.gz`]: 'webget\n',
  });

  it('are read from a zip archive, and from a zip archive inside it', async () => {
    expect(await found(written('2014.zip', zipArchive(release)))).to.deep.equal(
      contents('2014.zip'),
    );
  });

  it('are read from a zip archive with another name', async () => {
    const path = written('download', zipArchive({ 'curr_ping.csv': 'ping\n' }));
    expect(await found(path)).to.deep.equal({ 'download/curr_ping.csv': 'ping\n' });
  });

  it('are read from a zip archive inside a tar.gz, which may have more files after it', async () => {
    mkdirSync(join(folder, 'in'));
    for (const [name, content] of [
      ['in/a.zip', inner],
      ['in/curr_ping.csv', 'ping\n'],
    ] as const) {
      written(name, content);
    }
    const path = join(folder, 'raw.tar.gz');
    execFileSync('tar', ['-czf', path, '-C', join(folder, 'in'), 'a.zip', 'curr_ping.csv']);
    expect(await found(path)).to.deep.equal({
      'raw.tar.gz/a.zip/deep/CURR_DNS_2014_01.CSV': large,
      'raw.tar.gz/curr_ping.csv': 'ping\n',
    });
  });

  it('are read from a folder with subfolders and archives', async () => {
    mkdirSync(join(folder, 'sub/sub'), { recursive: true });
    written('sub/sub/curr_ping.csv', 'ping\n');
    written('sub/2014.zip', zipArchive(release));
    expect(await found(folder)).to.deep.equal({
      ...contents('sub/2014.zip'),
      'sub/sub/curr_ping.csv': 'ping\n',
    });
  });

  for (const name of ['curr_ping.csv', 'CURR_PING_2014_01.CSV']) {
    it(`may be one file, ${name}`, async () => {
      expect(await found(written(name, 'ping\n'))).to.deep.equal({ [name]: 'ping\n' });
    });
  }

  it('are refused by a message if one file has another name', async () => {
    const path = written('results.csv', 'unit_id,dtime\n');
    expect(await messageOf(found(path))).to.include(
      'results.csv: the name must be that of a file of a release, such as curr_httpgetmt.csv',
    );
  });

  it('are refused by a message if a zip archive is cut', async () => {
    const path = written('2014.zip', zipArchive(release).subarray(0, 500));
    expect(await messageOf(found(path))).to.include(
      '2014.zip cannot be read as a zip archive; is it complete?',
    );
    const nested = written('nested.zip', zipArchive({ 'a.zip': inner.subarray(0, 500) }));
    expect(await messageOf(found(nested))).to.include(
      'nested.zip/a.zip cannot be read as a zip archive',
    );
  });

  it('are refused by a message if a zip archive inside a small one fills the disk', async () => {
    const bomb = zipArchive({ 'a.zip': Buffer.alloc(17 * 1024 ** 2), 'curr_ping.csv': 'ping\n' });
    expect(await messageOf(found(written('2014.zip', bomb)))).to.equal(
      '2014.zip/a.zip is larger than 16777216 bytes, the maximum for a zip archive inside this archive. ' +
        'If you trust it, extract the outer archive and load the folder.',
    );
  });

  // One flipped byte of the compressed text stays valid, the other does not.
  for (const at of [44, 46]) {
    it(`are refused by a message if byte ${at} of a zip archive is damaged`, async () => {
      const archive = zipArchive({ 'curr_ping.csv': 'x'.repeat(100) });
      archive.writeUInt8((archive[at] ?? 0) ^ 0xff, at);
      expect(await messageOf(found(written('2014.zip', archive)))).to.match(
        /^curr_ping\.csv in .*2014\.zip is damaged/,
      );
    });
  }

  it('are refused by a message if they are encrypted', async () => {
    const archive = zipArchive({ 'curr_ping.csv': 'ping\n' });
    const directory = archive.indexOf('PK\x01\x02');
    archive.writeUInt16LE(1, 6);
    archive.writeUInt16LE(1, directory + 8);
    expect(await messageOf(found(written('2014.zip', archive)))).to.match(
      /curr_ping\.csv in .*2014\.zip is encrypted/,
    );
  });

  it('are not searched in archives that are nested too deep', async () => {
    let archive = zipArchive({ 'curr_ping.csv': 'ping\n' });
    for (let i = 0; i < 5; i++) archive = zipArchive({ 'a.zip': archive });
    expect(await messageOf(found(written('2014.zip', archive)))).to.include('up to 4 levels deep');
  });

  it('leave no temporary file, also after an early end', async () => {
    const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('netpanel-zip-'));
    const before = copies();
    for await (const { name } of mbaSources(written('2014.zip', zipArchive(release)))) {
      if (name === 'CURR_DNS_2014_01.CSV') break;
    }
    expect(copies()).to.deep.equal(before);
  });
});

async function messageOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
