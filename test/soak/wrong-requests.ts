import { request } from 'node:http';
import type { Random } from '../property/random.ts';
import { type HostileBody, hostileBodies } from '../security/hostile-bodies.ts';
import { authorization, send } from '../security/send.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { expectStatus, type RequestKind } from './request-kind.ts';
import { manyRange, type SoakOrganisation } from './soak-organisation.ts';

/** Requests that are refused, and clients that disconnect. */
export function wrongRequests({ queryUrl, metadataUrl }: LocalStack): readonly RequestKind[] {
  return [
    {
      name: 'wrong bodies, query',
      weight: 3,
      run: async ({ tenant }, random) => {
        const { statuses, headers, body } = random.pick(queryBodies);
        const token = authorization('query', tenant.dataToken);
        const sent = { method: 'POST', path: '/metric_data', body };
        const response = await send(queryUrl, {
          ...sent,
          headers: { authorization: token, ...headers },
        });
        expectStatus({ status: response.status, body: response.text }, ...statuses);
      },
    },
    {
      name: 'wrong bodies, metadata',
      weight: 3,
      run: async ({ tenant }, random) => {
        const { statuses, headers, body } = random.pick(metadataBodies);
        const token = authorization('metadata', tenant.metadataToken);
        const sent = { method: 'PUT', path: '/metadata', body };
        const response = await send(metadataUrl, {
          ...sent,
          headers: { authorization: token, ...headers },
        });
        expectStatus({ status: response.status, body: response.text }, ...statuses);
      },
    },
    {
      name: 'unknown names',
      weight: 3,
      run: async ({ data, metadata, requests }, random) => {
        const wrong = { ...random.pick(requests), metric: 'htpget' };
        expectStatus(await data.post('/metric_data', wrong), 422);
        expectStatus(await metadata.get(`/metadata/unit/${random.between(1, 800)}`), 404);
      },
    },
    { name: 'wrong tokens', weight: 4, run: wrongToken },
    { name: 'clients that disconnect', weight: 4, run: disconnect },
  ];

  async function wrongToken(
    { tenant, revokedToken }: SoakOrganisation,
    random: Random,
  ): Promise<void> {
    const tokens = ['none', `np_${random.between(1, 1e9)}`, revokedToken, tenant.metadataToken];
    const token = random.pick(tokens as [string, ...string[]]);
    for (const [url, path, header] of [
      [queryUrl, '/metrics', token],
      [metadataUrl, '/metadata/unit/1', `Bearer ${token}`],
    ] as const) {
      // The metadata token is right for the metadata service, which has no such unit.
      const expected = token === tenant.metadataToken && url === metadataUrl ? 404 : 403;
      const response = await send(url, {
        method: 'GET',
        path,
        headers: { authorization: header },
      });
      expectStatus({ status: response.status, body: response.text }, expected);
    }
  }

  /** Ends the connection before or during a large response. */
  function disconnect({ tenant }: SoakOrganisation, random: Random): Promise<void> {
    return new Promise((resolve) => {
      const { hostname, port } = new URL(queryUrl);
      const headers = { authorization: tenant.dataToken, 'content-type': 'application/json' };
      const target = { hostname, port, method: 'POST', path: '/test_data', headers, agent: false };
      const client = request(target, (response) => response.resume().on('error', () => undefined));
      client.on('error', () => undefined).on('close', () => resolve());
      client.end(JSON.stringify({ test: 'httpget', date: manyRange }));
      setTimeout(() => client.destroy(), random.between(0, 400));
    });
  }
}

const queryBodies = hostileBodies('query') as [HostileBody, ...HostileBody[]];
const metadataBodies = hostileBodies('metadata') as [HostileBody, ...HostileBody[]];
