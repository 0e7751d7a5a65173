import { expect } from 'chai';
import fc from 'fast-check';
import { contractViolation } from './contract-violation.ts';
import { operations } from './contract.ts';
import { fuzzedRequest, type FuzzedRequest } from './fuzzed-request.ts';
import { authorization, send } from './send.ts';
import { createFixture, type Fixture, tokenOf, urlOf } from './security-fixture.ts';
import { printStatusCounts } from './print-status-counts.ts';

/** Total number of requests. `FUZZ_SEED=<printed seed>` repeats a run. */
const runs = Number(process.env.FUZZ_RUNS ?? 250);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('requests generated from the OpenAPI documents', function () {
  this.timeout(300_000 + runs * 1_000);
  let fixture: Fixture;
  before(async () => (fixture = await createFixture()));

  it(`${runs} of them get a documented response and no 5xx (FUZZ_SEED=${seed})`, async () => {
    const each = Math.ceil(runs / operations.length);
    const requests = operations.flatMap((operation, i) =>
      fc.sample(fuzzedRequest(operation), { numRuns: each, seed: seed + i }),
    );
    const problems = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (const request of requests) {
      const response = await sendFuzzed(request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const problem = await contractViolation(request.operation, response);
      if (problem === undefined) continue;
      // Report one example per kind of problem.
      const kind = `${request.operation.id} ${problem.slice(0, 60)}`;
      if (!problems.has(kind)) problems.set(kind, `${describeRequest(request)}\n    ${problem}`);
    }
    printStatusCounts(`${requests.length} requests, seed ${seed}`, statuses);
    expect([...problems.values()].slice(0, 20).join('\n')).to.equal('');
  });

  function sendFuzzed({ operation, headers, ...request }: FuzzedRequest) {
    const { service } = operation;
    const token = authorization(service, tokenOf(fixture.owner, service));
    return send(urlOf(fixture.stack, service), {
      ...request,
      headers: { authorization: token, ...headers },
    });
  }
});

function describeRequest({ method, path, headers, body }: FuzzedRequest): string {
  const text = String(body).slice(0, 600);
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${text}`;
}
