import { deepStrictEqual } from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { localStack, stopLocalStack } from '../support/local-stack.ts';
import { runProgram } from '../support/run-program.ts';
import { addClientPanel, expected } from './client-panel.ts';

// `make test-clients`: generates clients of the data and the metadata interface with six generators, compiles them, and
// makes six calls with each against a local stack. Not part of `make test`, because it needs Java, Maven, Go, Python and
// packages of their registries, which the product does not need.
//   make test-clients GENERATORS="go hey-api"

const versions = {
  'openapi-generator': '7.25.0',
  'openapi-python-client': '0.29.1',
  'hey-api': '0.98.0',
};

type Command = readonly [program: string, ...args: string[]];

interface Generator {
  readonly program: string;
  /** Its name in the folder of the client. */
  readonly savedAs: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Generates, compiles and, last, runs the program. */
  readonly commands: readonly Command[];
}

const workFolder = join(repositoryRoot, '.local/clients');
const jar = join(workFolder, `openapi-generator-cli-${versions['openapi-generator']}.jar`);
const contracts = ['query', 'metadata'] as const;

const typescriptFiles = {
  'package.json': '{ "private": true }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'commonjs', moduleResolution: 'node10', outDir: 'out' },
      ...{ strict: true, skipLibCheck: true, lib: ['es2022', 'dom'] },
      ...{ types: ['node'], typeRoots: [join(repositoryRoot, 'node_modules/@types')] },
    },
    files: ['main.ts'],
  }),
};
const compileAndRun: readonly Command[] = [
  ['node', join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', '.'],
  ['node', 'out/main.js'],
];
const venv: Command = ['python3', '-m', 'venv', 'venv'];
const installAndRun: readonly Command[] = [
  ['venv/bin/pip', 'install', '--quiet', './query', './metadata'],
  ['venv/bin/python', 'main.py'],
];

const generators: Readonly<Record<string, Generator>> = {
  python: {
    program: 'openapi-generator.py',
    savedAs: 'main.py',
    commands: [
      ...generated('python', (name) => `packageName=netpanel_${name},projectName=netpanel_${name}`),
      venv,
      ...installAndRun,
    ],
  },
  java: {
    program: 'Main.java',
    savedAs: 'query/src/main/java/Main.java',
    commands: [
      ...generated('java', (name) => {
        const own = `netpanel.${name}`;
        return `invokerPackage=${own},apiPackage=${own}.api,modelPackage=${own}.model`;
      }),
      ['cp', '-r', 'metadata/src/main/java/netpanel/metadata', 'query/src/main/java/netpanel/'],
      // List.of and Map.of of the program are of Java 9.
      [...mavenIn('query'), '-Djava.version=11', 'compile', 'exec:java', '-Dexec.mainClass=Main'],
    ],
  },
  go: {
    program: 'main.go',
    savedAs: 'main.go',
    files: { 'go.mod': 'module clients\n\ngo 1.23\n' },
    commands: [
      ...generated('go', (name) => `packageName=${name}`),
      // Packages of one module, without their examples of tests, which need a library.
      ['rm', '-rf', ...contracts.flatMap((name) => [`${name}/go.mod`, `${name}/test`])],
      ['go', 'run', '.'],
    ],
  },
  'typescript-fetch': {
    program: 'typescript-fetch.ts',
    savedAs: 'main.ts',
    files: typescriptFiles,
    commands: [...generated('typescript-fetch', () => 'supportsES6=true'), ...compileAndRun],
  },
  'openapi-python-client': {
    program: 'openapi-python-client.py',
    savedAs: 'main.py',
    commands: [
      venv,
      [
        ...(['venv/bin/pip', 'install', '--quiet'] as const),
        `openapi-python-client==${versions['openapi-python-client']}`,
      ],
      ...contracts.map((name): Command => {
        const path = ['--path', contractPath(name), '--output-path', name];
        return ['venv/bin/openapi-python-client', 'generate', ...path, '--meta', 'setup'];
      }),
      ...installAndRun,
    ],
  },
  'hey-api': {
    program: 'hey-api.ts',
    savedAs: 'main.ts',
    files: typescriptFiles,
    commands: [
      [
        ...(['npm', 'install', '--silent', '--no-audit', '--no-fund'] as const),
        ...[`@hey-api/openapi-ts@${versions['hey-api']}`, `typescript@${ts.version}`],
      ],
      ...contracts.map((name): Command => {
        return ['node_modules/.bin/openapi-ts', '-i', contractPath(name), '-o', name];
      }),
      ...compileAndRun,
    ],
  },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(generators);
const unknown = chosen.filter((name) => !(name in generators));
if (unknown.length > 0) {
  exit(`Unknown: ${unknown.join(', ')}. The generators are ${Object.keys(generators).join(', ')}.`);
}
const missing = await missingPrograms();
if (missing.length > 0) {
  exit(
    `Not installed: ${missing.join(', ')}. Debian: apt-get install default-jdk-headless maven golang python3-venv.`,
  );
}
mkdirSync(workFolder, { recursive: true });
if (!existsSync(jar)) {
  const artifact = `org.openapitools:openapi-generator-cli:${versions['openapi-generator']}`;
  await run(workFolder, [
    ...(['mvn', '--quiet', 'dependency:copy'] as const),
    ...[`-Dartifact=${artifact}`, `-DoutputDirectory=${workFolder}`],
  ]);
}

const failed: string[] = [];
try {
  const environment = await addClientPanel(await localStack());
  for (const name of chosen) {
    try {
      deepStrictEqual(await answersOf(name, generators[name]!, environment), expected);
      process.stdout.write(`${name}: six calls\n`);
    } catch (error) {
      failed.push(name);
      process.stdout.write(`${name}: FAILED\n${(error as Error).message}\n`);
    }
  }
} finally {
  await stopLocalStack();
}
if (failed.length > 0) exit(`Failed: ${failed.join(', ')}.`);
process.exit(0);

/** What the program of a generator prints. */
async function answersOf(
  name: string,
  { program, savedAs, files = {}, commands }: Generator,
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  const folder = join(workFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const programs = join(repositoryRoot, 'test/clients/programs');
  const target = join(folder, savedAs);
  mkdirSync(join(target, '..'), { recursive: true });
  copyFileSync(join(programs, program), target);
  let output = '';
  for (const command of commands) output = await run(folder, command, environment);
  // Maven writes escape sequences after it, even if it is quiet.
  return JSON.parse(/\{.*\}/.exec(output)?.[0] ?? output);
}

async function run(
  cwd: string,
  [program, ...args]: Command,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  // A relative path is one of the client's own folder.
  const path = program.includes('/') ? join(cwd, program) : program;
  // openapi-python-client looks for its formatter there.
  const PATH = `${join(cwd, 'venv/bin')}:${process.env.PATH ?? ''}`;
  // The rest configures the clients of the registries.
  const env = { ...(process.env as Record<string, string>), ...environment, PATH };
  const { code, stdout, stderr } = await runProgram(path, args, { cwd, env });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

function generated(language: string, properties: (name: string) => string): readonly Command[] {
  return contracts.map((name): Command => {
    const input = ['generate', '-g', language, '-i', contractPath(name), '-o', name];
    return ['java', '-jar', jar, ...input, `--additional-properties=${properties(name)}`];
  });
}

function mavenIn(folder: string): Command {
  return ['mvn', '--quiet', '--file', folder];
}

function contractPath(name: (typeof contracts)[number]): string {
  return join(repositoryRoot, `openapi/${name}.yaml`);
}

async function missingPrograms(): Promise<readonly string[]> {
  const checks: readonly Command[] = [
    ['java', '-version'],
    ['mvn', '--version'],
    ['go', 'version'],
    ['python3', '-m', 'venv', '--help'],
    ['npm', '--version'],
  ];
  const results = await Promise.all(
    checks.map(async ([program, ...args]) =>
      (await runProgram(program, args)).code === 0 ? [] : [program],
    ),
  );
  return results.flat();
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
