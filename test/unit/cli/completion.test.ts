import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { commands } from '../../../services/cli/commands.ts';
import { completedCommands } from '../../../services/cli/completion.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { runProgram } from '../../support/run-program.ts';
import { skipBecause } from '../../support/skip-because.ts';

describe('netpanel completion', () => {
  it('completes commands, subcommands, options and values in bash', async () => {
    expect(await completed('')).to.include.members(['query', 'export', 'help', '--version']);
    expect(await completed('comp')).to.deep.equal(['completion']);
    expect(await completed('org', '')).to.include.members(['add', 'list', 'floor', '--json']);
    expect(await completed('query', '--agg')).to.deep.equal(['--aggregation']);
    expect(await completed('query', '--aggregation', 'hour')).to.deep.equal([
      'hourly',
      'hour_of_day',
      'hour_of_week',
    ]);
    expect(await completed('query', 'httpg')).to.include('httpget');
    expect(await completed('help', 'doc')).to.deep.equal(['doctor']);
  });

  for (const [shell, check] of [
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    it(`prints a script that ${shell} accepts`, async function () {
      const { code: missing } = await runProgram(shell, ['-c', 'true']);
      if (missing !== 0) skipBecause(this, `${shell} is not installed`);
      const { code, stderr } = await runProgram(
        'bash',
        ['-c', `"$@" <(printf %s "$SCRIPT")`, 'bash', shell, ...check],
        { env: { SCRIPT: await script(shell) } },
      );
      expect(code, stderr).to.equal(0);
    });
  }

  it('offers every option that a command has, because each is in its usage', async () => {
    const offered = new Map(
      (await completedCommands(commands)).map(({ name, options }) => [name, options]),
    );
    expect(offered.get('query')).to.include.members([
      '--split',
      '--no-prefilter',
      '--known-at',
      '--url',
    ]);
    for (const { name } of commands) {
      const missing = optionsInCode(name).filter(
        (option) => offered.get(name)?.includes(option) !== true,
      );
      expect(missing, name).to.deep.equal([]);
    }
  });

  it('refuses an unknown shell', async () => {
    const { code, stderr } = await runNetpanel({}, ['completion', 'tcsh']);
    expect(code).to.equal(2);
    expect(stderr).to.include('SHELL must be one of bash, zsh, fish, not "tcsh"');
  });
});

describe('netpanel', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    const { code, stdout } = await runNetpanel({}, ['--version']);
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `netpanel ${version}\n` });
  });

  it('suggests the command, subcommand or option that was meant', async () => {
    const firstLine = async (...args: readonly string[]) => {
      const { code, stderr } = await runNetpanel({}, args);
      expect(code).to.equal(2);
      return stderr.split('\n', 1)[0];
    };
    expect(await firstLine('qeury')).to.equal('Unknown command "qeury". Did you mean "query"?');
    expect(await firstLine('frobnicate')).to.equal('Unknown command "frobnicate".');
    expect(await firstLine('org', 'lst')).to.match(/not "lst". Did you mean "list"\?$/);
    expect(await firstLine('query', 'dns', '--splits', 'isp')).to.equal(
      'Unknown option --splits. Did you mean --split?',
    );
    expect(await firstLine('doctor', '--jsno')).to.equal(
      'Unknown option --jsno. Did you mean --json?',
    );
  });
});

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runNetpanel({}, ['completion', shell]);
  expect(code, stderr).to.equal(0);
  return stdout;
}

/** What bash offers for the last word, as after the tab key. */
async function completed(...words: readonly string[]): Promise<string[]> {
  const line = `eval "$SCRIPT"; COMP_WORDS=(netpanel "$@"); COMP_CWORD=$#; _netpanel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { SCRIPT: await script('bash') };
  const { code, stdout, stderr } = await runProgram('bash', ['-c', line, 'bash', ...words], {
    env,
  });
  expect(code, stderr).to.equal(0);
  return stdout.trimEnd().split('\n');
}

/** The names in the calls of parseOptions, of the command's file and folder. */
function optionsInCode(command: string): string[] {
  const folder = join(repositoryRoot, 'services/cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path === `${command}.ts` || (path.startsWith(`${command}/`) && path.endsWith('.ts')),
  );
  const text = files.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');
  return [...text.matchAll(/^ +'?([a-z][a-z-]*)'?: \{ type: '(?:string|boolean)'/gm)].map(
    ([, name]) => `--${name}`,
  );
}
