import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import type { Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { propertyRuns, propertySeed } from './property-panel.ts';
import { Random } from './random.ts';
import { makeRandomChange } from './random-change.ts';
import { randomPanel } from './random-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { storePanel } from './store-panel.ts';

const rounds = 4;
const changesPerRound = 5;
const requestsPerRound = Math.ceil(propertyRuns / 15);

interface Answer {
  readonly request: MetricRequest;
  readonly knownAt: string;
  readonly data: unknown;
}

describe('metric data with knownAt after random changes of metadata', function () {
  this.timeout(600_000 + propertyRuns * 1000);
  const random = new Random(propertySeed);
  let stack: LocalStack;
  let panel: Panel;
  let tenant: Tenant;
  let post: PostMetricData;
  const answers: Answer[] = [];

  before(async () => {
    stack = await localStack();
    panel = randomPanel(propertySeed);
    tenant = await storePanel(stack, panel);
    post = postMetricDataTo(stack.queryUrl, tenant.dataToken);
    const requests = fc
      .sample(requestArbitrary(panel), {
        numRuns: 2 * rounds * requestsPerRound,
        seed: propertySeed,
      })
      // The response for a relative time such as "-7 days" changes with the clock.
      .filter(({ time }) => /^\d/.test(time.from) && /^\d/.test(time.to));
    for (let round = 0; round < rounds; round++) {
      if (round > 0) await changeSome();
      const knownAt = new Date().toISOString();
      const asked = requests.splice(0, requestsPerRound);
      for (const request of asked) {
        answers.push({ request, knownAt, data: await post(request) });
      }
    }
    await changeSome();
  });

  it(`gets the answers that were given between the changes, seed ${propertySeed}`, async () => {
    let changed = 0;
    for (const { request, knownAt, data } of answers) {
      const difference = firstDifference(data, await post({ ...request, knownAt }));
      const where = `request: ${JSON.stringify({ ...request, knownAt })}\nrepeat with PROPERTY_SEED=${propertySeed}`;
      expect(difference, where).to.equal(undefined);
      if (firstDifference(data, await post(request)) !== undefined) changed++;
    }
    // Otherwise the test would show nothing.
    expect(changed).to.be.greaterThan(0);
  });

  async function changeSome(): Promise<void> {
    for (let i = 0; i < changesPerRound; i++) {
      await makeRandomChange(random, { stack, tenant, panel });
    }
    await waitUntil(async () => {
      const waiting = stack.database('snapshot_outbox');
      const first: unknown = await waiting
        .where({ organisation_id: tenant.organisationId })
        .first('id');
      return first === undefined;
    }, 300_000);
  }
});
