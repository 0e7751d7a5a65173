import { gzipSync } from 'node:zlib';
import type { Random } from '../property/random.ts';
import { type HostileBody, hostileBodies } from '../security/hostile-bodies.ts';
import { authorization, send } from '../security/send.ts';
import { minutesAgo, ndjson, postResults } from '../support/ingest-tenant.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { expectStatus, type RequestKind } from './request-kind.ts';
import { sendingUnit } from './soak-organisation.ts';

/** Valid and invalid requests of the ingestion interface. */
export function ingestRequests({ ingestUrl }: LocalStack): readonly RequestKind[] {
  return [
    {
      name: 'results',
      weight: 6,
      run: async ({ ingestToken }, random) => {
        const body = gzipSync(ndjson(...results(random, random.between(1, 200))));
        const headers = { 'content-encoding': 'gzip' };
        const reply = await postResults(ingestUrl, ingestToken, '/results/httpget', body, headers);
        expectStatus(reply, 200);
      },
    },
    {
      name: 'invalid results',
      weight: 2,
      run: async ({ ingestToken }, random) => {
        const body = ndjson(...results(random, 3).map((row) => ({ ...row, dtime: 'yesterday' })));
        expectStatus(await postResults(ingestUrl, ingestToken, '/results/httpget', body), 422);
        expectStatus(await postResults(ingestUrl, ingestToken, '/results/htpget', body), 404);
        expectStatus(await postResults(ingestUrl, 'none', '/results/httpget', body), 403);
      },
    },
    {
      name: 'wrong bodies, ingest',
      weight: 2,
      run: async ({ ingestToken }, random) => {
        const { statuses, headers, body } = random.pick(lmapBodies);
        const token = authorization('ingest', ingestToken);
        const response = await send(ingestUrl, {
          method: 'POST',
          path: '/lmap/reports',
          body,
          headers: { authorization: token, ...headers },
        });
        expectStatus({ status: response.status, body: response.text }, ...statuses);
      },
    },
  ];
}

const lmapBodies = hostileBodies('ingest') as [HostileBody, ...HostileBody[]];

/** Of the last day. The requests for data ask for earlier times, so their size does not change. */
function results(random: Random, count: number): readonly object[] {
  return Array.from({ length: count }, () => ({
    unit_id: sendingUnit,
    dtime: minutesAgo(random.between(1, 1_440)),
    target: `target-${random.between(1, 20)}`,
    bytes_sec: random.between(1, 100_000_000),
    successes: 1,
  }));
}
