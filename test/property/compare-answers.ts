import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseCsv } from '../../services/results/csv.ts';
import { firstDifference } from '../reference/first-difference.ts';
import { groupBy } from '../reference/group-by.ts';
import { localStack, stopLocalStack } from '../support/local-stack.ts';
import { newTenantToken } from '../support/tenant.ts';
import { storeKnownAtPanel } from './known-at-panel.ts';
import { propertyPanel, propertyRuns } from './property-panel.ts';
import { type Call, type Caller, recordedCalls } from './recorded-calls.ts';

// Checks that a code change does not change responses: run it before the change to record the responses to
// generated requests, and after it to compare. The seed determines the panel and the requests.
//   make compare-answers FILE=answers.ndjson PROPERTY_SEED=1

interface RecordedResponse {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
}

type Send = (call: Call) => Promise<Omit<RecordedResponse, 'call'>>;

const { positionals } = parseArgs({ allowPositionals: true });
const [file = 'answers.ndjson'] = positionals;
if (process.env.PROPERTY_SEED === undefined) throw new Error('Set PROPERTY_SEED to a number');
try {
  const { calls, send } = await storedPanels();
  if (existsSync(file)) await compare(send);
  else await record(calls, send);
} finally {
  await stopLocalStack();
}

async function storedPanels(): Promise<{ readonly calls: readonly Call[]; readonly send: Send }> {
  const stack = await localStack();
  const { panel, organisationId } = await propertyPanel();
  const known = await storeKnownAtPanel(stack);
  const token = (settings: object) =>
    newTenantToken(stack.database, organisationId, 'data', settings);
  const tokens: Readonly<Record<Caller, string>> = {
    panel: await token({}),
    floor: await token({ min_agents: 3 }),
    known: known.dataToken,
  };
  return {
    calls: recordedCalls(panel, known.momentsMs.length, propertyRuns),
    send: async ({ caller, method, path, accept, body, moment }) => {
      const knownAt = moment === undefined ? undefined : isoText(known.momentsMs[moment]!);
      const response = await fetch(stack.queryUrl + path, {
        method,
        headers: {
          authorization: tokens[caller],
          ...(accept && { accept }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && {
          body: JSON.stringify(knownAt === undefined ? body : { ...(body as object), knownAt }),
        }),
      });
      const text = await response.text();
      const type = response.headers.get('content-type') ?? '';
      const comparable = knownAt === undefined ? text : text.replaceAll(knownAt, 'knownAt');
      return { status: response.status, body: parsed(comparable, type) };
    },
  };
}

async function record(calls: readonly Call[], send: Send): Promise<void> {
  const lines: string[] = [];
  for (const call of calls) {
    lines.push(JSON.stringify({ call, ...(await send(call)) } satisfies RecordedResponse));
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  process.stdout.write(`${calls.length} responses recorded in ${file}: ${counted(calls)}\n`);
}

async function compare(send: Send): Promise<void> {
  const recorded = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedResponse);
  const differing: Call[] = [];
  for (const { call, ...expected } of recorded) {
    const difference = firstDifference(expected, await send(call), 'response');
    if (difference === undefined) continue;
    differing.push(call);
    process.stdout.write(`${difference}\ncall: ${JSON.stringify(call)}\n`);
  }
  process.stdout.write(
    `${recorded.length} responses compared, ${differing.length} differ${differing.length > 0 ? `: ${counted(differing)}` : ''}\n`,
  );
  if (differing.length > 0) process.exitCode = 1;
}

/** Objects and numbers, so that sums may differ in their last digits. */
function parsed(text: string, contentType: string): unknown {
  if (contentType.startsWith('application/x-ndjson'))
    return text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)));
  if (contentType.startsWith('text/csv')) {
    const [header = [], ...rows] = parseCsv(text);
    const cell = (value: string) =>
      /^-?\d/.test(value) && !isNaN(Number(value)) ? Number(value) : value;
    return {
      header,
      rows: rows.map((row): object =>
        Object.fromEntries(row.map((value, i) => [header[i] ?? '', cell(value)])),
      ),
    };
  }
  return contentType.startsWith('application/json') ? (JSON.parse(text) as unknown) : text;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** `json 1050, report 875` */
function counted(calls: readonly Call[]): string {
  const kinds = groupBy(calls, ({ kind }) => kind);
  return [...kinds].map(([kind, all]) => `${kind} ${all.length}`).join(', ');
}
