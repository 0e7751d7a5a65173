import { expect } from 'chai';
import fc from 'fast-check';
import { wrongWith } from './checked-answer.ts';
import { operations } from './contract.ts';
import { fuzzedRequest, type FuzzedRequest } from './fuzzed-request.ts';
import { authorization, send } from './send.ts';
import { setStage, type Stage, tokenOf, urlOf } from './stage.ts';
import { tell } from './tell.ts';

/** How many requests in all; `FUZZ_RUNS=10000` sends more, `FUZZ_SEED=<as printed>` the same again. */
const runs = Number(process.env.FUZZ_RUNS ?? 250);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('requests made up from the contracts', function () {
  this.timeout(300_000 + runs * 1_000);
  let stage: Stage;
  before(async () => (stage = await setStage()));

  it(`${runs} of them get an answer that the contract knows, and no 5xx (FUZZ_SEED=${seed})`, async () => {
    const each = Math.ceil(runs / operations.length);
    const requests = operations.flatMap((operation, i) =>
      fc.sample(fuzzedRequest(operation), { numRuns: each, seed: seed + i }),
    );
    const problems = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (const request of requests) {
      const answer = await ask(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const problem = await wrongWith(request.operation, answer);
      if (problem === undefined) continue;
      // One of a kind is enough to mend it.
      const kind = `${request.operation.id} ${problem.slice(0, 60)}`;
      if (!problems.has(kind)) problems.set(kind, `${told(request)}\n    ${problem}`);
    }
    tell(`${requests.length} requests, seed ${seed}`, statuses);
    expect([...problems.values()].slice(0, 20).join('\n')).to.equal('');
  });

  function ask({ operation, headers, ...request }: FuzzedRequest) {
    const { service } = operation;
    const token = authorization(service, tokenOf(stage.owner, service));
    return send(urlOf(stage.stack, service), {
      ...request,
      headers: { authorization: token, ...headers },
    });
  }
});

function told({ method, path, headers, body }: FuzzedRequest): string {
  const text = String(body).slice(0, 600);
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${text}`;
}
