import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LocalStack,
  newStackOptions,
  startTestStack,
  stopTestStack,
} from '../support/local-stack.ts';
import { ingestRequests } from './ingest-requests.ts';
import { memorySamples } from './memory-samples.ts';
import { metadataRequests } from './metadata-requests.ts';
import { queryRequests } from './query-requests.ts';
import { soakOrganisation } from './soak-organisation.ts';
import { memoryHeading, memoryNow, memoryReport } from './soak-report.ts';
import {
  isSlopeJudged,
  soakMinutes,
  soakRate,
  soakSeed,
  soakServiceSettings,
  warmUpMinutes,
} from './soak-settings.ts';
import { steadyLoad } from './steady-load.ts';
import { wrongRequests } from './wrong-requests.ts';

// `make proof-soak`: mixed load of two organisations on the three services. Fails on an unexpected response and
// on growing memory. docs/proof.md describes the criterion.

const minuteMs = 60_000;
const printedErrors = 20;
const services = ['query', 'metadata', 'ingest'] as const;

const memoryFolder = mkdtempSync(join(tmpdir(), 'netpanel-soak-'));
const options = await newStackOptions('soak');
const settings = { ...soakServiceSettings, SOAK_MEMORY_FOLDER: memoryFolder };
const started = await startTestStack({ ...options, settings });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopTestStack(started).finally(() => process.exit(130)));
}
const problems: string[] = [];
try {
  await soak(started.stack);
} finally {
  await stopTestStack(started);
  rmSync(memoryFolder, { recursive: true });
}
for (const problem of problems.slice(0, printedErrors)) print(`Problem: ${problem}`);
print(
  `\n${problems.length === 0 ? 'The soak passed' : `The soak failed: ${problems.length} problems`}`,
);
process.exit(problems.length === 0 ? 0 : 1);

async function soak(stack: LocalStack): Promise<void> {
  const organisations = [
    await soakOrganisation(stack, soakSeed),
    await soakOrganisation(stack, soakSeed + 1),
  ] as const;
  print(`${soakMinutes} minutes, ${soakRate} requests per second, SOAK_SEED=${soakSeed}`);
  const onError = (kind: string, error: unknown) => {
    const text = `${new Date().toISOString()} ${kind}: ${messageOf(error)}`;
    problems.push(text);
    if (problems.length <= printedErrors) print(text);
  };
  const startedMs = Date.now();
  const progress = setInterval(() => {
    const minute = Math.round((Date.now() - startedMs) / minuteMs);
    const now = services.map((name) => memoryNow(name, memorySamples(memoryFolder, name).at(-1)));
    print(`minute ${minute}: ${problems.length} errors; ${now.join('; ')}`);
  }, minuteMs);
  const counts = await steadyLoad({
    organisations: [...organisations],
    kinds: [
      ...queryRequests,
      ...metadataRequests,
      ...ingestRequests(stack),
      ...wrongRequests(stack),
    ],
    perSecond: soakRate,
    seed: soakSeed,
    untilMs: startedMs + soakMinutes * minuteMs,
    onError,
  });
  clearInterval(progress);

  print(
    `\nRequests:\n${[...counts].map(([kind, count]) => `${String(count).padStart(8)}  ${kind}`).join('\n')}`,
  );
  print(`\n${memoryHeading}`);
  for (const name of services) {
    const all = memorySamples(memoryFolder, name);
    const measured = all.filter(({ atMs }) => atMs >= startedMs + warmUpMinutes * minuteMs);
    const report = memoryReport(name, measured);
    print(report.line);
    if (isSlopeJudged) problems.push(...report.problems);
    if (new Set(all.map(({ pid }) => pid)).size > 1) {
      problems.push(`${name}: the process has restarted`);
    }
    for (const line of loggedErrors(stack, name)) problems.push(`${name} logged ${line}`);
  }
  if (!isSlopeJudged) print('The run is too short: the growth of memory is not judged.');
}

function loggedErrors({ stateDir }: LocalStack, name: string): readonly string[] {
  return readFileSync(join(stateDir, 'log', `${name}.log`), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => line.slice(0, 500));
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`.slice(0, 600);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
