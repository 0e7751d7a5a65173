import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { isLong } from '../../runner/long-tests.ts';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

// macOS has the tools of BSD, bash 3.2 and make 3.81.
const gnuOnly: readonly RegExp[] = [
  /\bdate\b[^|;)\n]* (-d|--\w)/,
  /\bsed (-[a-z]*[ir]|--)/,
  /\bfind\b.* -printf\b/,
  /\b(readlink -f|realpath|stat -c|grep -[a-zA-Z]*P|sort -V|xargs [^|]*-r\b|cp --|mktemp -p)/,
  /\b(flock|timeout|sha256sum|nproc|tac|mapfile|readarray)\b/,
  /\b(declare|local) -A\b|\$\{\w+(,|\^|@)/,
];

describe('commands that must work with the tools of BSD', () => {
  it('are all of the Makefile', () => {
    expect(linesWith(gnuOnly, read('Makefile'))).to.deep.equal([]);
    // Make 3.82 and 4.
    expect(linesWith([/\$\(file |\.ONESHELL|!=|&:/], read('Makefile'))).to.deep.equal([]);
  });

  it('are all of the README', () => {
    const blocks = shellBlocks('README.md');
    expect(blocks).to.have.length.greaterThan(3);
    expect(linesWith(gnuOnly, blocks.join('\n'))).to.deep.equal([]);
    // Others have options that differ.
    const known = ['.', 'curl', 'date', 'export', 'make', 'npx', 'set'];
    expect(known).to.include.members([...new Set(blocks.flatMap(programsOf))]);
  });

  it('are recognised', () => {
    for (const line of [
      "date -d '10 days ago' +%s",
      'date +%s --utc',
      'sed -i s/a/b/ file',
      "find . -name '*.ts' -printf '%p'",
      'echo a | xargs -r rm',
      'mapfile -t lines',
      'echo ${name,,}',
    ]) {
      expect(linesWith(gnuOnly, line), line).to.have.length(1);
    }
    expect(
      programsOf('A=b npx netpanel x --from 1 \\\n  --to 2\nfoo "$(bar --baz)" | qux'),
    ).to.deep.equal(['npx', 'foo', 'qux', 'bar']);
  });
});

describe('/proc, which only Linux has', () => {
  // With ps instead on other systems.
  const portable = ['deploy/local/running-process.cjs', 'test/runner/cpu-seconds.ts'];
  // For long tests alone; skipped elsewhere.
  const ofLinux = ['test/support/resident-bytes.ts', 'test/integration/cli/load-bad-input.test.ts'];

  it('is read only where another system has a replacement, in what make run and make test need', () => {
    const readers = [
      ...filesIn('deploy/local'),
      ...filesIn('test').filter((path) => {
        const test = path.slice('test/'.length);
        return (
          ['runner', 'support'].some((folder) => test.startsWith(`${folder}/`)) ||
          (test.endsWith('.test.ts') && !isLong(test))
        );
      }),
    ].filter((path) => /['`"]\/proc\b/.test(read(path)));
    const own = 'test/unit/deploy/portable-commands.test.ts';
    expect(readers.filter((path) => path !== own)).to.have.members([...portable, ...ofLinux]);
    for (const path of portable) expect(read(path)).to.match(/'ps', \[/);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?[jt]s$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);
}

function linesWith(patterns: readonly RegExp[], text: string): string[] {
  return text.split('\n').filter((line) => patterns.some((pattern) => pattern.test(line)));
}

function shellBlocks(path: string): string[] {
  return [...read(path).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** The first words of commands, without assignments, comments and quoted text; then those in $( … ). */
function programsOf(script: string): string[] {
  const inner: string[] = [];
  let outer = script.replace(/\\\n/g, ' ');
  for (let before = ''; before !== outer;) {
    before = outer;
    outer = outer
      .replace(/\$\(\([^()]*\)\)/g, 'x')
      .replace(/\$\(([^()]*)\)/g, (_, command: string) => {
        inner.push(command);
        return 'x';
      });
  }
  const unquoted = outer.replace(/'[^']*'|"[^"]*"/g, 'x').replace(/#.*$/gm, '');
  return [...unquoted.split(/[\n;|&]+/), ...inner]
    .map((command) => command.trim().replace(/^(?:\w+=\S* +)+/, ''))
    .map((command) => command.split(/\s/)[0] ?? '')
    .filter((word) => word !== '');
}
