import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

const request = {
  ...plainRequest,
  aggregation: 'total',
  splits: ['target'],
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59:59' },
};

/** 600 bytes, with characters that ClickHouse, a URL or a form escapes. */
const longValue = (name: string) => `${name} '\\\t\n"%26&é\r\n--`.padEnd(598, 'x');
const listed = longValue('listed');
const values = [...Array.from({ length: 999 }, (_, i) => longValue(String(i))), listed];

describe('a thousand filter values of 600 bytes', () => {
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    api = new DataApi(queryUrl, dataToken);
    const agentKey = await addAgent(database, organisationId, { agentId: 'box' });
    const download = { agentKey, agentId: 'box', dtime: '2026-01-10 10:00:00', mbps: 8 };
    await addDownloads(clickhouse, organisationId, [
      { ...download, target: listed },
      { ...download, target: longValue('other'), dtime: '2026-01-10 11:00:00' },
    ]);
  });

  const filter = (filterType: string) => ({ id: 'target', filterType, filterValues: values });

  it('select exactly the listed results', async () => {
    expect(await targetsWith([filter('include')])).to.deep.equal([listed]);
  });

  it('exclude exactly the listed results', async () => {
    expect(await targetsWith([filter('exclude')])).to.deep.equal([longValue('other')]);
  });

  it('work in many filters', async () => {
    const filters = Array.from({ length: 50 }, (_, i) => ({
      id: 'target',
      filterType: 'exclude',
      filterValues: values.slice(20 * i, 20 * (i + 1)),
    }));
    expect(await targetsWith(filters)).to.deep.equal([longValue('other')]);
  });

  it('422: too many filters; the error names the limit', async () => {
    const filter = { id: 'isp', filterType: 'include', filterValues: ['a'] };
    const filters = Array<object>(51).fill(filter);
    const { status, body } = await api.post('/metric_data', { ...request, filters });
    expect(status).to.equal(422);
    expect(body.errors?.filters).to.deep.equal(['51 filters; send at most 50.']);
  });

  it('are explained', async () => {
    const body = { ...request, filters: [filter('include')] };
    expect((await api.post('/metric_data/explain', body)).status).to.equal(200);
  });

  it('select the rows of an export', async () => {
    const body = { ...request, chartType: 'raw', filters: [filter('include')] };
    const { rows, url } = fileData(await api.post('/metric_data.csv', body));
    expect(rows).to.equal(1);
    expect((await fetched(url)).toString())
      .to.contain('é\r\n--xxx')
      .and.not.contain('other');
  });

  it('422: a value that is too long; the error names the limit', async () => {
    const filters = [{ id: 'isp', filterType: 'include', filterValues: ['x'.repeat(8_193)] }];
    const { status, body } = await api.post('/metric_data', { ...request, filters });
    expect(status).to.equal(422);
    expect(body.errors?.['filters[0][filterValues][0]']?.[0]).to.contain('at most 8192 characters');
  });

  async function targetsWith(filters: readonly object[]): Promise<unknown[]> {
    return (await api.points({ ...request, filters })).map(({ target }) => target).sort();
  }
});
