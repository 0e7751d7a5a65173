import { expect } from 'chai';
import fc from 'fast-check';
import { findMetric } from '../../services/catalog/metrics.ts';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Agent, Panel } from '../reference/panel.ts';
import { erasureTools, requestAgentErasure, untilErased } from '../support/erase-household.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import { noRateLimits } from '../support/no-rate-limits.ts';
import { type QueryService, startQueryService } from '../support/query-service.ts';
import type { Tenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';
import { propertyRuns, propertySeed } from './property-panel.ts';
import { Random } from './random.ts';
import { makeRandomChange } from './random-change.ts';
import { randomPanel } from './random-panel.ts';
import { reportArbitrary } from './report-arbitrary.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { storePanel } from './store-panel.ts';

/** They are not stored, and may change between two requests, with the known values of a filter. */
function warningsOf(text: string): unknown {
  return (JSON.parse(text) as { warnings: unknown }).warnings;
}

/** Undefined if the data is the same, apart from the last digits of sums, which depend on ClickHouse's threads. */
function differenceOf(a: string, b: string): string | undefined {
  if (a === b) return undefined;
  const [first, second] = [a, b].map((text) => (JSON.parse(text) as { data: unknown }).data);
  return firstDifference(first, second);
}

const questions = 8;
// In the first round nothing is stored; a change between two rounds may concern all pieces.
const rounds = Math.max(3, Math.ceil(propertyRuns / questions / 8));

/** Has many pieces, of which a change concerns some. */
const wholePanel = {
  aggregation: 'daily',
  time: { from: '2026-09-28', to: '2026-11-05' },
} as const;

// The same questions are asked again and again between late results, backdated changes of metadata and erasures. An
// answer that is put together from stored pieces must be what is computed.
describe('stored answers between random changes', function () {
  this.timeout(600_000 + propertyRuns * 2000);
  const random = new Random(propertySeed);
  let stack: LocalStack;
  let panel: Panel;
  let tenant: Tenant;
  let service: QueryService;
  let requests: readonly MetricRequest[];

  before(async () => {
    stack = await localStack();
    panel = randomPanel(propertySeed);
    tenant = await storePanel(stack, panel);
    service = await startQueryService({ ...noRateLimits, STORED_ANSWERS_MIN_MS: '0' });
    requests = [
      ...sampled(reportArbitrary(panel)),
      ...sampled(requestArbitrary(panel)).map((request) => ({ ...request, ...wholePanel })),
    ];
  });

  after(() => service.stop());

  it(`equal computed ones, seed ${propertySeed}`, async () => {
    const states = new Map<string, number>();
    const earlier = new Map<number, { tag: string; text: string }>();
    for (let round = 0; round < rounds; round++) {
      for (const [i, request] of requests.entries()) {
        const where = `round ${round}, request: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`;
        const computed = await ask(request, { 'cache-control': 'no-cache' });
        const stored = await ask(request);
        const difference = differenceOf(stored.text, computed.text);
        expect(difference, `${stored.state}, ${where}, ${difference}`).to.equal(undefined);
        const again = await ask(request, { 'if-none-match': stored.tag });
        // An answer without rows has no tag.
        if (again.status !== 304 && stored.tag !== '') {
          expect(warningsOf(again.text), where).not.to.deep.equal(warningsOf(stored.text));
        }
        const before = earlier.get(i);
        if (before !== undefined && (await isConfirmed(request, before.tag, stored.tag))) {
          expect(differenceOf(before.text, computed.text), where).to.equal(undefined);
        }
        earlier.set(i, stored);
        states.set(stored.state, (states.get(stored.state) ?? 0) + 1);
      }
      await change(round);
    }
    // Otherwise the test would show nothing.
    expect([...states.keys()]).to.include.members(['hit', 'partial', 'miss']);
  });

  /** Whether a client that has the response with the tag is told that it is current. */
  async function isConfirmed(request: MetricRequest, tag: string, currentTag: string) {
    return tag === currentTag || (await ask(request, { 'if-none-match': tag })).status === 304;
  }

  function sampled(arbitrary: fc.Arbitrary<MetricRequest>): readonly MetricRequest[] {
    const requests = fc.sample(arbitrary, { numRuns: 5 * questions, seed: propertySeed });
    // A relative time such as "-7 days" changes with the clock.
    const isFixed = ({ time }: MetricRequest) => /^\d/.test(time.from) && /^\d/.test(time.to);
    return requests
      .filter((request) => request.chartType === 'aggregate' && isFixed(request))
      .slice(0, questions / 2);
  }

  async function ask(request: MetricRequest, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/metric_data`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request.times === undefined ? request : { ...request, time: undefined }),
    });
    const text = await response.text();
    expect(response.status, text).to.be.oneOf([200, 304]);
    return {
      status: response.status,
      text,
      tag: response.headers.get('etag') ?? '',
      state: response.headers.get('x-netpanel-cache') ?? '',
    };
  }

  async function change(round: number): Promise<void> {
    if (round % 8 === 6 && panel.agents.length > 6) await eraseAgent();
    else if (round % 3 === 0) await addLateResults();
    else if (round % 3 === 1) await makeRandomChange(random, { stack, tenant, panel });
    await waitUntilPublished(stack.database, tenant.organisationId);
  }

  async function eraseAgent(): Promise<void> {
    const erased = random.pick(panel.agents as [Agent, ...Agent[]]);
    panel = { ...panel, agents: panel.agents.filter((agent) => agent !== erased) };
    const id = await requestAgentErasure(stack.database, tenant, erased.agentId);
    await untilErased(erasureTools(stack), id);
  }

  /** Results of some agents again, some days later. */
  async function addLateResults(): Promise<void> {
    // The last questions have many pieces.
    const test = findMetric(requests.at(-1)?.metric ?? '')?.test;
    const seconds = random.between(1, 20 * 86_400);
    await stack.clickhouse.command({
      query: `INSERT INTO test_${test}
SELECT * REPLACE (dtime + ${seconds} AS dtime, toDate(dtime + ${seconds}) AS ddate, now64(6, 'UTC') AS received_at)
FROM test_${test} WHERE organisation_id = ${tenant.organisationId}
ORDER BY rand() LIMIT ${random.between(1, 5)}`,
    });
  }
});
