import { randomUUID } from 'node:crypto';
import type { Operation } from './contract.ts';
import type { RawRequest } from './send.ts';
import {
  erasedAgentId,
  ownAgent,
  ownMetricRequest,
  ownTestRequest,
  type Fixture,
} from './security-fixture.ts';

/** A request that succeeds with the owner's token, so that a missing check would show. */
export function sampleRequest(operation: Operation, fixture: Fixture): RawRequest {
  const { id, method, path } = operation;
  const body = sampleBody(operation);
  return {
    method,
    path: samplePath(id, path, fixture),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Undefined if the operation takes no body. */
export function sampleBody({ id, bodySchema }: Operation): object | undefined {
  if (bodySchema === undefined) return undefined;
  const body = bodies[id];
  if (body !== undefined) return body;
  throw new Error(`Add a body for ${id} to test/security/sample-request.ts`);
}

function samplePath(id: string, path: string, fixture: Fixture): string {
  const { exportId, erasureId, viewId, csvLink, objectLink } = fixture;
  if (id === 'getCsv') return csvLink;
  if (id === 'getObject') return objectLink;
  const values: Readonly<Record<string, string>> = {
    // Erasing this agent again changes nothing.
    ...(id === 'deleteAgent'
      ? { field: 'agent', value: erasedAgentId }
      : { field: 'unit', value: String(ownAgent.unitId) }),
    id:
      {
        getFilterValues: 'cohort',
        getErasure: erasureId,
        getView: viewId,
        patchView: viewId,
        deleteView: viewId,
      }[id] ?? exportId,
    test: sentTest,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new Error(`Add a value for {${name}} of ${id} to test/security/sample-request.ts`);
  });
}

/** The test of results that samples send. The other tests compare the rows of httpget and ping. */
export const sentTest = 'jitter';

const bodies: Readonly<Record<string, object>> = {
  postMetricData: ownMetricRequest,
  explainMetricData: ownMetricRequest,
  exportMetricDataCsv: ownMetricRequest,
  downloadMetricData: { ...ownMetricRequest, format: 'csv.gz' },
  postTestData: ownTestRequest,
  explainTestData: ownTestRequest,
  exportTestDataCsv: ownTestRequest,
  downloadTestData: ownTestRequest,
  // A name can be used once.
  get postView() {
    return { name: `view ${randomUUID()}`, state: 'metric=httpget' };
  },
  get patchView() {
    return { name: `view ${randomUUID()}` };
  },
  putRegionMap: {
    field: 'isp',
    map: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { name: 'Northwave' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          },
        },
      ],
    },
  },
  // Another result with each request.
  get postResults() {
    const dtime = new Date(Date.now() - 60_000).toISOString();
    return [{ unit_id: ownAgent.unitId, dtime, target: randomUUID() }];
  },
  get postLmapReport() {
    return lmapReport(ownAgent.agentId);
  },
  putMetadata: { agent: { unit_id: ownAgent.unitId }, metadata: { custom: { cohort: 'changed' } } },
};

/** A report with one result. */
export function lmapReport(agentId: string): object {
  const time = new Date(Date.now() - 60_000).toISOString();
  const table = {
    function: [{ uri: `urn:netpanel:test:${sentTest}` }],
    column: ['target'],
    row: [{ value: [randomUUID()] }],
  };
  const result = { schedule: 'a', action: 'a', task: 'a', start: time, end: time, table: [table] };
  return { 'ietf-lmap-report:report': { date: time, 'agent-id': agentId, result: [result] } };
}
