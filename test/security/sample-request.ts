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
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new Error(`Add a value for {${name}} of ${id} to test/security/sample-request.ts`);
  });
}

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
  putMetadata: { agent: { unit_id: ownAgent.unitId }, metadata: { custom: { cohort: 'changed' } } },
};
