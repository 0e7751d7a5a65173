import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { netpanel } from '../../support/netpanel.ts';
import { skipBecause } from '../../support/skip-because.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

const header = 'unit_id,dtime,target,rtt_avg';
const rows = [
  '1,2026-11-01 10:00:00,a,5',
  '1,2026-11-01 11:00:00,b,6',
  '2,2026-11-01 10:00:00,c,7',
] as const;
const text = [header, ...rows, ''].join('\n');

interface BadInput {
  readonly name: string;
  readonly file: string;
  readonly content: string | Buffer;
  readonly args?: readonly string[];
  readonly code: number;
  /** Texts of the output, standard error or both. */
  readonly says: readonly string[];
  readonly storedTargets: readonly string[];
}

const inputs: readonly BadInput[] = [
  {
    name: 'gzip data that is cut short stops the load with an error',
    file: 'cut.csv.gz',
    content: gzipSync(text).subarray(0, -12),
    code: 1,
    says: ['cut.csv.gz', 'the gzip data is cut short'],
    storedTargets: [],
  },
  {
    name: 'line ends of CR alone are read',
    file: 'cr.csv',
    content: text.replaceAll('\n', '\r'),
    code: 0,
    says: ['cr.csv: 3 rows read: 3 rows loaded', 'read with CR line ends'],
    storedTargets: ['a', 'b', 'c'],
  },
  {
    name: 'CR alone after a header with LF rejects the rows and does not drop them',
    file: 'cr-rows.csv',
    content: `${header}\n${rows.join('\r')}\n`,
    code: 3,
    says: ['Nothing was loaded.', 'cr-rows.csv: all 1 rows were rejected', 'line 2'],
    storedTargets: [],
  },
  {
    name: 'UTF-16 is converted and named',
    file: 'utf16.csv',
    content: Buffer.from(`\ufeff${text.replace(',a,', ',é,')}`, 'utf16le'),
    code: 0,
    says: ['3 rows loaded', 'read with encoding UTF-16LE'],
    storedTargets: ['b', 'c', 'é'],
  },
  {
    name: 'Latin-1 is converted and named',
    file: 'latin1.csv',
    content: Buffer.from(text.replace(',a,', ',é,'), 'latin1'),
    code: 0,
    says: ['3 rows loaded', 'read with encoding Latin-1 (windows-1252)'],
    storedTargets: ['b', 'c', 'é'],
  },
  {
    name: '--encoding utf-8 rejects Latin-1 and says what converts it',
    file: 'not-utf8.csv',
    content: Buffer.from(text.replace(',a,', ',é,'), 'latin1'),
    args: ['--encoding', 'utf-8'],
    code: 0,
    says: [
      '2 rows loaded, 1 rejected',
      'not UTF-8, perhaps Latin-1: --encoding latin1 converts it',
    ],
    storedTargets: ['b', 'c'],
  },
  {
    name: 'a file of zero bytes is an error',
    file: 'zero.csv',
    content: '',
    code: 1,
    says: ['zero.csv: the file is empty', 'Nothing was loaded.'],
    storedTargets: [],
  },
  {
    name: 'semicolons are detected and named',
    file: 'semicolons.csv',
    content: text.replaceAll(',', ';').replace(';a;', ';"a;, b";'),
    code: 0,
    says: ['3 rows loaded', 'read with separator semicolon'],
    storedTargets: ['a;, b', 'b', 'c'],
  },
  {
    name: 'tabs are detected and named',
    file: 'tabs.tsv',
    content: text.replaceAll(',', '\t').replace('\t5\n', '\t 5 \n').replace('1\t', ' 1 \t'),
    code: 0,
    says: ['3 rows loaded', 'read with separator tab'],
    storedTargets: ['a', 'b', 'c'],
  },
  {
    name: 'an unnamed index column is ignored and reported',
    file: 'index.csv',
    content: `,${header}\n${rows.map((row, i) => `${i},${row}\n`).join('')}`,
    code: 0,
    says: ['3 rows loaded', 'ignored columns: unnamed'],
    storedTargets: ['a', 'b', 'c'],
  },
  {
    name: 'a header in upper case is read',
    file: 'upper.csv',
    content: text.replace(header, header.toUpperCase()),
    code: 0,
    says: ['3 rows loaded'],
    storedTargets: ['a', 'b', 'c'],
  },
  {
    name: 'a file whose rows are all rejected has an exit code of its own',
    file: 'rejected.csv',
    content: `${header}\n1,yesterday,a,5\n1,2026-11-01 10:00:00,b,fast\n`,
    code: 3,
    says: [
      'rejected.csv: 2 rows read: 0 rows loaded, 2 rejected',
      'Nothing was loaded.',
      'rejected.csv: all 2 rows were rejected; line 2, column dtime: dtime must be a UTC time such as ' +
        '2026-11-15 18:30:00, not "yesterday"',
    ],
    storedTargets: [],
  },
  {
    name: 'a file without a header is an error that shows its first line',
    file: 'headerless.csv',
    content: `${rows.join('\n')}\n`,
    code: 1,
    says: [
      'headerless.csv: the file has no header: line 1 must name the columns, such as unit_id and dtime, ' +
        'but is "1,2026-11-01 10:00:00,a,5"',
      'Nothing was loaded.',
    ],
    storedTargets: [],
  },
];

describe('netpanel load of unusual files', () => {
  const own = useLoadFolder();

  const load = (...args: readonly string[]) =>
    netpanel(own.stack, 'load', '--org', own.tenant.name, '--test', 'latency', ...args);
  const storedTargets = async () => {
    const stored = await own.stored<{ target: string }>('latency', 'target');
    return stored.map(({ target }) => target).sort();
  };
  const agentCount = async () => {
    const [row] = await own.stack
      .database('agents')
      .where({ organisation_id: own.tenant.organisationId })
      .count<{ count: number }[]>();
    return Number(row?.count);
  };

  for (const input of inputs) {
    it(input.name, async () => {
      const { code, stdout, stderr } = await load(
        ...(input.args ?? []),
        own.file(input.file, input.content),
      );
      for (const part of input.says) expect(stdout + stderr).to.include(part);
      expect(code, stdout + stderr).to.equal(input.code);
      expect(await storedTargets()).to.deep.equal(input.storedTargets);
      if (input.storedTargets.length === 0) expect(await agentCount()).to.equal(0);
    });
  }

  it('a full disk for the reject file is a failure, even if a part was written', async () => {
    const rejected = Array.from({ length: 1134 }, (_, i) => `1,never,target ${i},5\n`).join('');
    const path = own.file('full.csv', `${text}${rejected}`);
    // A limit of 8 KiB per file: as on a full disk, the last write that fits stores only a part.
    const limited = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const command = 'trap \'\' XFSZ; ulimit -f 8; exec "$@"';
      const program = join(repositoryRoot, 'dist/services/cli/netpanel.js');
      const args = ['load', '--org', own.tenant.name, '--test', 'latency', path];
      const child = spawn(
        'bash',
        ['--norc', '-c', command, 'bash', process.execPath, program, ...args],
        {
          env: { PATH: process.env.PATH, ...own.stack.env },
        },
      );
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.once('close', (code) => resolve({ code, stderr }));
    });
    expect(limited.stderr).to.include(`${path} was not loaded completely`);
    expect(limited.stderr).to.include(
      `the rejected rows cannot be written to ${path}.rejects.csv; choose another folder with --rejects`,
    );
    expect(limited.code).to.equal(1);
    expect(await load(path)).to.include({ code: 0 });
  });

  it('an unreadable file is an error with its name', async function () {
    if (process.platform !== 'linux') return skipBecause(this, 'only Linux has /proc/self/mem');
    // Reading the memory of a process at address 0 fails for every user.
    const path = join(own.folder, 'unreadable.csv');
    symlinkSync('/proc/self/mem', path);
    const { code, stderr } = await load(path);
    expect(code).to.equal(1);
    expect(stderr).to.include(`${path}: the file cannot be read: EIO`);
    expect(stderr).to.include('Nothing was loaded.');
    return undefined;
  });
});
