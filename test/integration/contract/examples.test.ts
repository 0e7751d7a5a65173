import { expect } from 'chai';
import { testTables } from '../../../services/catalog/test-tables.ts';
import { assertDocumented } from '../../support/assert-documented.ts';
import { type CurrentPanel, startCurrentPanel } from '../../support/current-panel.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { operations, operationsOf, type Operation, serviceNames } from '../../security/contract.ts';
import { exampleRequests, type ExampleRequest } from './example-requests.ts';

/** What a response to an example has in common with others; the contract checks the rest. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
}

describe('the examples of the OpenAPI documents, sent to the sample panel,', () => {
  let panel: CurrentPanel;
  let served: readonly Operation[];
  /** Links of earlier responses, by the operation that they lead to. */
  const links = new Map<string, string>();

  before(async () => {
    panel = await startCurrentPanel('examples');
    const documents = serviceNames.map(async (service) => {
      const text = await (await fetch(`${panel[service].url}/openapi.yaml`)).text();
      return operationsOf(service, text);
    });
    served = (await Promise.all(documents)).flat();
  });
  after(() => panel.stop());

  for (const { id, service } of [...operations].sort((a, b) => orderOf(a) - orderOf(b))) {
    it(`${id} of the ${service} service succeed and return data`, async () => {
      const operation = served.find((one) => one.id === id && one.service === service)!;
      const requests = exampleRequests(operation, links.get(id));
      expect(requests).not.to.be.empty;
      for (const request of requests) await check(operation, request);
    });
  }

  it('every test that agents run has rows, and the contract describes their columns', async () => {
    const operation = served.find(({ id }) => id === 'postTestData')!;
    for (const test of Object.keys(testTables).filter((key) => !['panel', 'cells'].includes(key))) {
      const body = JSON.stringify({ test, date: { from: '-2 days', to: 'now' } });
      const headers = { 'content-type': 'application/json' };
      const answer = await send(operation, { method: 'POST', path: '/test_data', headers, body });
      expect(answer.status, test).to.equal(200);
      expect(sizeOf(answer.data!), test).to.be.above(0);
    }
  });

  async function check(operation: Operation, request: ExampleRequest): Promise<void> {
    const changesBefore = await changeCount();
    const answer = await send(operation, request);
    const shown = `${request.method} ${request.path} ${request.body ?? ''}: ${answer.text.slice(0, 500)}`;
    if (operation.id === 'getInternalServerError') {
      expect(answer.status, shown).to.equal(500);
      return;
    }
    expect(answer.status, shown).to.be.within(200, 299);
    if (operation.method === 'PUT' && operation.service === 'metadata') {
      expect((await changeCount()) - changesBefore, shown).to.equal(1);
      return;
    }
    if (answer.data === undefined) {
      expect(answer.text).not.to.equal('');
      return;
    }
    if (operation.service === 'ingest') {
      expect(answer.text, shown)
        .to.include('"rejected":0')
        .and.not.match(/"rejected":[1-9]/);
    }
    keepLinks(operation, answer);
    if (answer.status === 202 && operation.service === 'query') await waitForRows(answer);
    else expect(sizeOf(answer.data), shown).to.be.above(0);
  }

  async function send(
    { service, document }: Operation,
    { method, path, headers, body }: ExampleRequest,
  ): Promise<Answer> {
    const { url, authorization } = panel[service];
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const { status } = response;
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isJson) return { status, text, data: undefined };
    const parsed = JSON.parse(text) as Pick<Answer, 'data'>;
    const request = headers['content-type'] === 'application/json' ? body : undefined;
    await assertDocumented(document, { method, path, status, body: parsed, request });
    return { status, text, data: parsed.data };
  }

  /** Of PUT /metadata; a request that changes no value is not one. */
  async function changeCount(): Promise<number> {
    return (await panel.database('metadata_changes').select('id')).length;
  }

  async function waitForRows(started: Answer): Promise<void> {
    const { statusUrl } = started.data as { statusUrl: string };
    const status = served.find(({ id }) => id === 'getExport')!;
    await waitUntil(async () => {
      const { data } = await send(status, { method: 'GET', path: pathOf(statusUrl), headers: {} });
      const { status: state, rows } = data as { status: string; rows: number };
      if (state === 'running') return false;
      expect({ state, hasRows: rows > 0 }).to.deep.equal({ state: 'ready', hasRows: true });
      return true;
    });
  }

  function keepLinks({ id, path }: Operation, { data }: Answer): void {
    const {
      url,
      statusUrl,
      id: dataId,
    } = data as { url?: string; statusUrl?: string; id?: string };
    if (id === 'postView') {
      for (const target of ['getView', 'patchView', 'deleteView'])
        links.set(target, `/views/${dataId}`);
    }
    if (typeof url === 'string' && id.startsWith('export')) links.set('getCsv', pathOf(url));
    if (typeof url === 'string' && id.startsWith('download')) links.set('getObject', pathOf(url));
    if (statusUrl === undefined) return;
    const targets = path.startsWith('/metadata') ? ['getErasure'] : ['getExport', 'deleteExport'];
    for (const target of targets) links.set(target, pathOf(statusUrl));
  }
});

/** Links come after the requests that return them. An erasure deletes exports, so it comes last. */
function orderOf({ id, path }: Operation): number {
  if (id === 'getErasure') return 4;
  if (id === 'deleteAgent') return 3;
  if (id === 'deleteExport') return 2;
  if (id === 'deleteView' || id === 'deleteRegionMap') return 2;
  return /^\/(exports|csv|objects|views)\//.test(path) || id === 'getViews' ? 1 : 0;
}

/** Of a link with or without the address of the service. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link, 'http://service');
  return pathname + search;
}

/** Points of all series, entries of a list, rows of a file or of an estimate, or fields of an object. */
function sizeOf(data: NonNullable<Answer['data']>): number {
  if (Array.isArray(data)) {
    return data.reduce<number>((sum, entry: { metricData?: unknown[] }) => {
      return sum + (entry.metricData?.length ?? 1);
    }, 0);
  }
  const { rows, estimate } = data as { rows?: number; estimate?: { rows: number } };
  return rows ?? estimate?.rows ?? Object.keys(data).length;
}
