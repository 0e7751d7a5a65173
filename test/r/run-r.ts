import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { studentT } from '../reference/student-t.ts';
import { DataApi } from '../support/data-api.ts';
import { localStack, stopLocalStack } from '../support/local-stack.ts';
import { runProgram } from '../support/run-program.ts';
import { baseRequest, type Case, cases } from './cases.ts';
import {
  type LoadedPanel,
  loadPanel,
  type PanelName,
  type Point,
  points,
  publishedFiles,
} from './panels.ts';

// `make test-r`: loads published panels into a local stack and compares the numbers of requests with those that R and
// its package survey compute from the raw data of the same households. Not part of `make test`, because it needs R.
//   make test-r CASES="2015"
// docs/proof.md says which functions of R, and where the definitions differ.
// .local/r keeps the raw data and the program: `Rscript .local/r/cases.R` runs it again.

type Numbers = ReadonlyMap<string, number | null>;

const tolerance = 1e-6;
/** The example of an R client, with the sample panel. */
const client = {
  name: 'clients/r/metric_data.R',
  request: {
    metric: 'httpget',
    chartType: 'aggregate',
    aggregation: 'total',
    normalised: false,
    prefilter: true,
    splits: ['isp'],
    time: { from: '2026-11-01', to: '2026-11-07' },
  },
  program: [
    sourced('test/r/estimates.R'),
    sourced('clients/r/metric_data.R'),
    'report("clients/r/metric_data.R", setNames(speeds$metricValue, paste0(named(speeds$isp), ".metricValue")))',
  ],
};
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
const names = [...cases, client].map(({ name }) => name);
if (!names.some((name) => name.includes(wanted))) {
  exit(`No case has "${wanted}" in its name:\n  ${names.join('\n  ')}`);
}
const chosen = cases.filter(({ name }) => name.includes(wanted));

rmSync(workFolder, { recursive: true, force: true });
mkdirSync(workFolder, { recursive: true });
const { ours, theirs, program } = await ask(chosen);
writeFileSync(
  join(workFolder, 'ours.json'),
  JSON.stringify([...ours].map(([name, numbers]) => [name, Object.fromEntries(numbers)])),
);
const path = join(workFolder, 'cases.R');
writeFileSync(path, program.join('\n'));
for (const [name, numbers] of await runR(path)) theirs.set(name, numbers);

let [passed, failed] = [0, 0];
let greatest = { difference: 0, name: 'none' };
process.stdout.write('case | number | ours | R | difference\n');
for (const [name, numbers] of theirs) {
  for (const [key, our, their, difference] of compared(ours.get(name)!, numbers)) {
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

/** The numbers of the API for each case, the program that computes them in R, and what R's client read. */
async function ask(chosen: readonly Case[]) {
  const ours = new Map<string, Numbers>();
  const theirs = new Map<string, Numbers>();
  const program = [sourced('test/r/estimates.R'), sourced('test/r/rake.R')];
  try {
    const stack = await localStack();
    const panels = new Map<PanelName, LoadedPanel>();
    for (const { name, panel: panelName, request, r } of chosen) {
      const panel = panels.get(panelName) ?? (await loadPanel(stack, panelName, workFolder));
      panels.set(panelName, panel);
      const whole: Readonly<Record<string, unknown>> = { ...baseRequest, ...request };
      const splits = (whole.splits ?? []) as readonly string[];
      ours.set(name, numbersOf(await panel.points(whole), splits));
      const file = await panel.rawData(String(whole.metric));
      program.push(`case(${quoted(name)}, ${quoted(file)}, ${r})`);
    }
    if (client.name.includes(wanted)) {
      if (await hasHttr2()) {
        const api = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN!);
        ours.set(client.name, numbersOf(await points(api, client.request), ['isp']));
        const file = join(workFolder, 'client.R');
        writeFileSync(file, client.program.join('\n'));
        for (const [name, numbers] of await runR(file, stack.env)) theirs.set(name, numbers);
      } else
        process.stdout.write(
          `Not run: ${client.name}, which needs r-cran-httr2 and r-cran-jsonlite.\n`,
        );
    }
  } finally {
    await stopLocalStack();
  }
  return { ours, theirs, program };
}

async function hasHttr2(): Promise<boolean> {
  return (await runProgram('Rscript', ['-e', 'library(httr2); library(jsonlite)'])).code === 0;
}

function numbersOf(all: readonly Point[], splits: readonly string[]): Numbers {
  const numbers = new Map<string, number | null>();
  for (const point of all) {
    collect(point, splits.map((split) => String(point[split])).join(' '), numbers);
  }
  return numbers;
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
    // survey has other degrees of freedom than those of Welch and Satterthwaite, so the standard error is compared.
    const { ci95, df } = inside;
    if (typeof ci95 === 'number' && typeof df === 'number') {
      numbers.set(`${path}.se`, ci95 / studentT(0.95, df));
    }
  }
}

async function runR(
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Numbers>> {
  const { code, stdout, stderr } = await runProgram('Rscript', ['--vanilla', path], { env });
  if (code !== 0) throw new Error(`Rscript ${path}\n${stdout}${stderr}`);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"case"'));
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

/** Each number that R has. One that the response does not have is infinitely different. */
function compared(ours: Numbers, theirs: Numbers) {
  return [...theirs].map(([key, their]) => {
    const our = ours.get(key);
    const bothNull = our === null && their === null;
    const difference =
      typeof our === 'number' && their !== null ? Math.abs(our - their) : bothNull ? 0 : Infinity;
    return [key, our, their, difference] as const;
  });
}

function sourced(path: string): string {
  return `source(${quoted(join(repositoryRoot, path))})`;
}

/** As text of R and JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
