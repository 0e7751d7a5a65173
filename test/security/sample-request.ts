import type { Operation } from './contract.ts';
import type { Sent } from './send.ts';
import { ownAgent, ownMetricRequest, ownTestRequest, type Stage } from './stage.ts';

/** A request for an operation that its owner is answered well: were a check missing, it would be seen. */
export function sampleRequest(operation: Operation, stage: Stage): Sent {
  const { id, method, path } = operation;
  const body = sampleBody(operation);
  return {
    method,
    path: samplePath(id, path, stage),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Undefined where an operation takes none. */
export function sampleBody({ id, bodySchema }: Operation): object | undefined {
  if (bodySchema === undefined) return undefined;
  const body = bodies[id];
  if (body !== undefined) return body;
  throw new Error(`${id} is new: give it a body in test/security/sample-request.ts`);
}

function samplePath(id: string, path: string, { exportId, csvLink, objectLink }: Stage): string {
  if (id === 'getCsv') return csvLink;
  if (id === 'getObject') return objectLink;
  const values: Readonly<Record<string, string>> = {
    ...{ field: 'unit', value: String(ownAgent.unitId) },
    id: id === 'getFilterValues' ? 'cohort' : exportId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new Error(
      `{${name}} of ${id} is new: give it a value in test/security/sample-request.ts`,
    );
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
  putMetadata: { agent: { unit_id: ownAgent.unitId }, metadata: { custom: { cohort: 'changed' } } },
};
