import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { stopLocalStack } from '../support/local-stack.ts';
import { propertyPanel, propertyRuns, type StoredPanel } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

// For a change that must not change any answer: records the answers to generated requests on the code
// before it, and compares with them on the code after it. The seed decides panel and requests.
//   make compare-answers FILE=answers.ndjson PROPERTY_SEED=1

interface RecordedAnswer {
  readonly request: MetricRequest;
  readonly data: unknown;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [file = 'answers.ndjson'] = positionals;
if (process.env.PROPERTY_SEED === undefined) throw new Error('Set PROPERTY_SEED');
try {
  const stored = await propertyPanel();
  if (existsSync(file)) await compare(stored);
  else await record(stored);
} finally {
  await stopLocalStack();
}

async function record({ panel, ask }: StoredPanel): Promise<void> {
  const requests = fc
    .sample(requestArbitrary(panel), {
      numRuns: propertyRuns,
      seed: Number(process.env.PROPERTY_SEED),
    })
    // An answer to "-7 days" depends on when it is asked.
    .filter(({ time }) => /^\d/.test(time.from) && /^\d/.test(time.to));
  const lines: string[] = [];
  for (const request of requests) {
    lines.push(JSON.stringify({ request, data: await ask(request) } satisfies RecordedAnswer));
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  process.stdout.write(`${requests.length} answers recorded in ${file}\n`);
}

async function compare({ ask }: StoredPanel): Promise<void> {
  const recorded = readFileSync(file, 'utf8').trim().split('\n');
  let differences = 0;
  for (const line of recorded) {
    const { request, data } = JSON.parse(line) as RecordedAnswer;
    const difference = firstDifference(data, await ask(request));
    if (difference === undefined) continue;
    differences++;
    process.stdout.write(`${difference}\nasked: ${JSON.stringify(request)}\n`);
  }
  process.stdout.write(`${recorded.length} answers compared, ${differences} differ\n`);
  if (differences > 0) process.exitCode = 1;
}
