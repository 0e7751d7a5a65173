import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { studentT } from '../reference/student-t.ts';
import { localStack, stopLocalStack } from '../support/local-stack.ts';
import { runProgram } from '../support/run-program.ts';
import { baseRequest, type Case, cases } from './cases.ts';
import { type LoadedPanel, loadPanel, type PanelName, publishedFiles } from './panels.ts';

// `make test-r`: loads published panels into a local stack and compares the numbers of requests with those that R and
// its package survey compute from the raw data of the same households. Not part of `make test`, because it needs R.
//   make test-r CASES="2015"
// .local/r keeps the raw data and the program: `Rscript .local/r/cases.R` runs it again.

type Numbers = ReadonlyMap<string, number | null>;

const tolerance = 1e-6;
const workFolder = join(repositoryRoot, '.local/r');

const versions = await runProgram('Rscript', [
  '-e',
  'cat(sprintf("R %s, survey %s", getRversion(), packageVersion("survey")))',
]);
if (versions.code !== 0) {
  exit(
    'R with its package survey is not installed. Debian: apt-get install r-base-core r-cran-survey.',
  );
}
const missing = publishedFiles.filter((path) => !existsSync(path));
if (missing.length > 0) {
  exit(`Not found: ${missing.join(', ')}. Set OFCOM_DATA_DIR and ACCC_DATA_DIR.`);
}
const wanted = process.argv.slice(2).join(' ');
const chosen = cases.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0) {
  exit(`No case has "${wanted}" in its name:\n  ${cases.map(({ name }) => name).join('\n  ')}`);
}

rmSync(workFolder, { recursive: true, force: true });
mkdirSync(workFolder, { recursive: true });
const { ours, program } = await ask(chosen);
writeFileSync(
  join(workFolder, 'ours.json'),
  JSON.stringify([...ours].map(([name, numbers]) => [name, Object.fromEntries(numbers)])),
);
const theirs = await runR(program);

let [passed, failed] = [0, 0];
let greatest = { difference: 0, name: 'none' };
process.stdout.write('case | number | ours | R | difference\n');
for (const { name } of chosen) {
  for (const [key, our, their, difference] of compared(ours.get(name)!, theirs.get(name)!)) {
    const agrees = difference <= tolerance;
    if (agrees) passed++;
    else failed++;
    if (!(difference <= greatest.difference)) greatest = { difference, name: `${name}, ${key}` };
    const line = [name, key, String(our), String(their), difference.toExponential(1)].join(' | ');
    process.stdout.write(`${line}${agrees ? '' : ' | FAILED'}\n`);
  }
}
process.stdout.write(
  `\n${versions.stdout}; greatest difference ${greatest.difference.toExponential(1)} (${greatest.name})\n` +
    `${passed} passed, ${failed} failed\n`,
);
process.exit(failed === 0 ? 0 : 1);

/** The numbers of the API for each case, and the program that computes them in R. */
async function ask(chosen: readonly Case[]) {
  const ours = new Map<string, Numbers>();
  const program = [`source(${quoted(join(repositoryRoot, 'test/r/estimates.R'))})`];
  try {
    const stack = await localStack();
    const panels = new Map<PanelName, LoadedPanel>();
    for (const { name, panel: panelName, request, r } of chosen) {
      const panel = panels.get(panelName) ?? (await loadPanel(stack, panelName, workFolder));
      panels.set(panelName, panel);
      const whole: Readonly<Record<string, unknown>> = { ...baseRequest, ...request };
      const splits = (whole.splits ?? []) as readonly string[];
      const numbers = new Map<string, number | null>();
      for (const point of await panel.points(whole)) {
        collect(point, splits.map((split) => String(point[split])).join(' '), numbers);
      }
      ours.set(name, numbers);
      const file = await panel.rawData(String(whole.metric));
      program.push(`case(${quoted(name)}, ${quoted(file)}, ${r})`);
    }
  } finally {
    await stopLocalStack();
  }
  return { ours, program };
}

/** Nested numbers by their path, such as `BT.percentilesCi95.50.low`. */
function collect(value: unknown, path: string, numbers: Map<string, number | null>): void {
  if (typeof value === 'number' || value === null) {
    numbers.set(path, value);
  } else if (Array.isArray(value)) {
    collect(value[0], `${path}.low`, numbers);
    collect(value[1], `${path}.high`, numbers);
  } else if (typeof value === 'object') {
    const inside = value as Readonly<Record<string, unknown>>;
    for (const [name, part] of Object.entries(inside)) {
      collect(part, path === '' ? name : `${path}.${name}`, numbers);
    }
    // The degrees of freedom are those of Welch and Satterthwaite, which survey does not have. Its standard error is
    // compared.
    const { ci95, df } = inside;
    if (typeof ci95 === 'number' && typeof df === 'number') {
      numbers.set(`${path}.se`, ci95 / studentT(0.95, df));
    }
  }
}

async function runR(program: readonly string[]): Promise<ReadonlyMap<string, Numbers>> {
  const path = join(workFolder, 'cases.R');
  writeFileSync(path, `${program.join('\n')}\n`);
  const { code, stdout, stderr } = await runProgram('Rscript', ['--vanilla', path]);
  if (code !== 0) {
    process.stderr.write(`${stdout}${stderr}\n`);
    process.exit(1);
  }
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { case: name, numbers } = JSON.parse(line) as {
        case: string;
        numbers: Readonly<Record<string, number | null>>;
      };
      return [name, new Map(Object.entries(numbers))];
    }),
  );
}

/** Each number that R has. A number that only one side has is infinitely different. */
function compared(ours: Numbers, theirs: Numbers) {
  return [...theirs].map(([key, their]) => {
    const our = ours.get(key);
    const bothNull = our === null && their === null;
    const difference =
      typeof our === 'number' && their !== null ? Math.abs(our - their) : bothNull ? 0 : Infinity;
    return [key, our, their, difference] as const;
  });
}

/** As text of R and JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
