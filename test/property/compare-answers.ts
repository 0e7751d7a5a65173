import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { stopLocalStack } from '../support/local-stack.ts';
import { propertyPanel, propertyRuns, type StoredPanel } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

// Checks that a code change does not change responses: run it before the change to record the responses to
// generated requests, and after it to compare. The seed determines the panel and the requests.
//   make compare-answers FILE=answers.ndjson PROPERTY_SEED=1

interface RecordedResponse {
  readonly request: MetricRequest;
  readonly data: unknown;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [file = 'answers.ndjson'] = positionals;
if (process.env.PROPERTY_SEED === undefined) throw new Error('Set PROPERTY_SEED to a number');
try {
  const stored = await propertyPanel();
  if (existsSync(file)) await compare(stored);
  else await record(stored);
} finally {
  await stopLocalStack();
}

async function record({ panel, post }: StoredPanel): Promise<void> {
  const requests = fc
    .sample(requestArbitrary(panel), {
      numRuns: propertyRuns,
      seed: Number(process.env.PROPERTY_SEED),
    })
    // The response for a relative time such as "-7 days" changes with the clock.
    .filter(({ time }) => /^\d/.test(time.from) && /^\d/.test(time.to));
  const lines: string[] = [];
  for (const request of requests) {
    lines.push(JSON.stringify({ request, data: await post(request) } satisfies RecordedResponse));
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  process.stdout.write(`${requests.length} responses recorded in ${file}\n`);
}

async function compare({ post }: StoredPanel): Promise<void> {
  const recorded = readFileSync(file, 'utf8').trim().split('\n');
  let differences = 0;
  for (const line of recorded) {
    const { request, data } = JSON.parse(line) as RecordedResponse;
    const difference = firstDifference(data, await post(request));
    if (difference === undefined) continue;
    differences++;
    process.stdout.write(`${difference}\nrequest: ${JSON.stringify(request)}\n`);
  }
  process.stdout.write(`${recorded.length} responses compared, ${differences} differ\n`);
  if (differences > 0) process.exitCode = 1;
}
