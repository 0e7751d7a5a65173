import { expect } from 'chai';
import { LinkSigner } from '../../../services/query/export/link-signer.ts';
import { operations, type ServiceName } from '../../security/contract.ts';
import { authorization, send, type RawRequest } from '../../security/send.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { addPackages, newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';

/** Depend on the state of the service or on time, so no request alone causes them. Slow bodies: security/slow-bodies. */
const notByRequest = [
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'EXPORT_CANCELLED',
  'EXPORT_ERASED',
  'SERVICE_UNAVAILABLE',
  'QUERY_TIMEOUT',
];

describe('the error examples of the OpenAPI documents', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addPackages(stack.database, tenant.organisationId, { Northwave: ['Fibre 500'] });
  });

  const json = { 'content-type': 'application/json' };
  const metricQuery = {
    metric: 'httpget',
    chartType: 'raw',
    normalised: false,
    prefilter: false,
    filters: [{ id: 'packge', filterType: 'include', filterValues: ['Fibre 500'] }],
    time: { from: '-7 days', to: 'now' },
  };

  /** Requests that cause the errors, by service. A token is added unless they have one. */
  async function requestsOf(service: ServiceName): Promise<readonly RawRequest[]> {
    const [method, path] = service === 'query' ? ['POST', '/metric_data'] : ['PUT', '/metadata'];
    const scope = service === 'query' ? 'data:read' : 'metadata:read';
    const limited = await newTenantToken(
      stack.database,
      tenant.organisationId,
      service === 'query' ? 'data' : 'metadata',
      { scopes: [scope] },
    );
    const withToken = { ...json, authorization: authorization(service, limited) };
    const common = [
      { method, path, headers: json, body: '{' },
      { method, path, headers: json, body: `"${'x'.repeat(1_048_576)}"` },
      { method, path, headers: { 'content-type': 'text/plain' }, body: 'x' },
      { method, path, headers: { ...json, authorization: '' }, body: '{}' },
    ];
    if (service === 'metadata') {
      const body = JSON.stringify({ agent: {}, metadata: { package: 'nocolon' } });
      return [
        ...common,
        { method, path, headers: withToken, body },
        { method, path, headers: json, body },
        { method: 'GET', path: '/metadata/unit/abc' },
        { method: 'GET', path: '/metadata/unit/99' },
        { method: 'GET', path: '/metadata/unit/99/history?limit=0' },
        { method: 'GET', path: '/metadata/unit/99/changes?before=x' },
        { method: 'GET', path: '/agents?limit=0' },
        { method: 'GET', path: '/response-internal-server-error' },
      ];
    }
    const floored = await newTenantToken(stack.database, tenant.organisationId, 'data', {
      min_agents: 10,
    });
    const signer = new LinkSigner('', stack.env.EXPORT_LINK_SECRET ?? '');
    const body = JSON.stringify(metricQuery);
    const view = JSON.stringify({ name: 'By ISP', state: 'split=isp' });
    const editor = await newTenantToken(stack.database, tenant.organisationId, 'data', {
      scopes: ['data:read', 'views:write'],
    });
    const geometry = { type: 'Point', coordinates: [0, 0] };
    const map = {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { name: 'Oslo' }, geometry }],
    };
    return [
      ...common,
      { method, path: '/metric_data.csv', headers: withToken, body },
      { method, path, headers: json, body },
      {
        method,
        path,
        headers: { ...json, authorization: authorization(service, floored) },
        body: JSON.stringify({ ...metricQuery, filters: [] }),
      },
      { method: 'GET', path: '/filters/packge/values' },
      { method: 'POST', path: '/views', headers: json, body: view },
      { method: 'POST', path: '/views', headers: json, body: view },
      {
        method: 'PUT',
        path: '/region-map',
        headers: { ...json, authorization: authorization(service, editor) },
        body: JSON.stringify({ field: 'target', map }),
      },
      { method: 'GET', path: '/exports/00000000-0000-4000-8000-000000000000' },
      { method: 'GET', path: signer.link('/csv/1', new Date(0)) },
    ];
  }

  for (const service of ['query', 'metadata'] as const) {
    it(`are what the ${service} service responds`, async () => {
      const url = service === 'query' ? stack.queryUrl : stack.metadataUrl;
      const own = service === 'query' ? tenant.dataToken : tenant.metadataToken;
      const responses = new Set<string>();
      for (const request of await requestsOf(service)) {
        const headers = { authorization: authorization(service, own), ...request.headers };
        const { status, text } = await send(url, { ...request, headers });
        responses.add(JSON.stringify({ status, body: JSON.parse(text) as unknown }));
      }
      const examples = operations
        .filter((operation) => operation.service === service)
        .flatMap(({ responseExamples }) => responseExamples)
        .filter(({ status, body }) => status >= 400 && !isNotByRequest(service, body))
        .map((example) => JSON.stringify(example));
      expect([...responses]).to.include.members([...new Set(examples)]);
    });
  }
});

function isNotByRequest(service: ServiceName, body: unknown): boolean {
  const { code } = body as { code: string };
  // Only the metadata service has an endpoint that fails on purpose.
  return notByRequest.includes(code) || (service === 'query' && code === 'UNKNOWN_ERROR');
}
