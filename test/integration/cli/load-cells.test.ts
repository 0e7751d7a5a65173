import { join } from 'node:path';
import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { DataApi } from '../../support/data-api.ts';
import { netpanel } from '../../support/netpanel.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const october = ['--period', '2024-10-01/2024-10-31'];

// The files have the columns of M-Lab's, and values of our own.
describe('netpanel load of published percentiles', () => {
  const panel = useLoadFolder();
  const file = (name: string) => join(repositoryRoot, 'test/fixtures/mlab', name);
  const load = (preset: string, path: string, ...args: readonly string[]) =>
    netpanel(panel.stack, 'load', '--org', panel.tenant.name, '--preset', preset, ...args, path);
  const loaded = async (preset: string, name: string, ...args: readonly string[]) => {
    const result = await load(preset, file(name), ...args);
    expect(result.code, result.stderr).to.equal(0);
    return result.stdout;
  };

  async function pointsOf(fields: object) {
    await waitUntilPublished(panel.stack.database, panel.tenant.organisationId);
    const api = new DataApi(panel.stack.queryUrl, panel.tenant.dataToken);
    const { status, body } = await api.post('/metric_data', {
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: true,
      splits: ['country'],
      time: { from: '2024-10-01', to: '2024-10-31' },
      ...fields,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.data as { metricData: Record<string, unknown>[] }[]).flatMap(
      ({ metricData }) => metricData,
    );
  }

  it('by country: percentiles of downloads, and those of latency from the lowest on', async () => {
    const stdout = await loaded('mlab-percentiles', 'downloads_by_country.csv', ...october);
    expect(stdout).to.include('2 cells in the file: 2 added, metadata of 2 changed');
    expect(stdout).to.include('2 rows read: 2 rows loaded');
    await loaded('mlab-percentiles-upload', 'uploads_by_country.csv', ...october);
    const [br, de] = await pointsOf({ metric: 'cellDownload' });
    expect(br).to.deep.include({ country: 'BR', sampleCount: 5_200_123, median: 88.125 });
    expect(br?.percentiles).to.include({ 1: 0.38, 5: 2.79, 95: 555.3, 99: 827.55, 80: null });
    expect(de).to.include({ country: 'DE', median: 46.75, metricValue: null, agentCount: null });
    const [latency] = await pointsOf({ metric: 'cellLatency' });
    expect(latency).to.include({ median: 12.541 });
    expect(latency?.percentiles).to.include({ 1: 1.9, 5: 3.3, 95: 134.1, 99: 238.76 });
    const [loss] = await pointsOf({ metric: 'cellPacketLoss' });
    expect(loss).to.include({ median: 0.4 });
    const uploads = await pointsOf({ metric: 'cellUpload' });
    expect(uploads.map(({ median }) => median)).to.deep.equal([40.5, 16.75]);
  });

  it('its cells are not households: agents of their own kind, of which no coverage is expected', async () => {
    await loaded('mlab-percentiles', 'downloads_by_country.csv', ...october);
    const { rows } = await panel.stack.database.raw<{ rows: object[] }>(
      'select agent_id, unit_id, kind, country from agents where organisation_id = ? order by 1',
      [panel.tenant.organisationId],
    );
    expect(rows).to.deep.equal([
      { agent_id: 'mlab-BR', unit_id: null, kind: 'cell', country: 'BR' },
      { agent_id: 'mlab-DE', unit_id: null, kind: 'cell', country: 'DE' },
    ]);
  });

  it('by day and network: one result per cell and day, although a file has a row per histogram bucket', async () => {
    const stdout = await loaded('mlab-statistics', 'histogram_daily_stats.csv');
    expect(stdout).to.include('3 rows read: 2 rows loaded, 1 duplicate\n');
    expect(stdout).not.to.include('differ');
    const days = await pointsOf({ metric: 'cellDownload', aggregation: 'daily' });
    expect(
      days.map(({ dtime, metricValue, min, max, median, sampleCount }) => ({
        ...{ dtime, metricValue, min, max, median, sampleCount },
      })),
    ).to.deep.equal([
      {
        dtime: '2024-10-01',
        metricValue: 104.25,
        min: 0.2,
        max: 940.1,
        median: 75.5,
        sampleCount: 1200,
      },
      {
        dtime: '2024-10-02',
        metricValue: 106.5,
        min: 0.3,
        max: 938.7,
        median: 78,
        sampleCount: 1100,
      },
    ]);
    expect(days[0]?.percentiles).to.include({ 25: 18.4, 50: 75.5, 75: 160.5, 5: null });
  });

  it('needs a period, and refuses the file of another preset', async () => {
    const withoutPeriod = await load('mlab-percentiles', file('downloads_by_country.csv'));
    expect(withoutPeriod.code).to.equal(2);
    expect(withoutPeriod.stderr).to.include('--period is missing');
    const other = await load('mlab-percentiles', file('uploads_by_country.csv'), ...october);
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include('Its columns fit --preset mlab-percentiles-upload.');
    const stored = await queryRows<{ n: number }>(
      panel.stack.clickhouse,
      `SELECT count() AS n FROM test_cells WHERE organisation_id = ${panel.tenant.organisationId}`,
    );
    expect(Number(stored[0]?.n)).to.equal(0);
  });

  it('rejects a count below zero and text, with the line', async () => {
    const path = panel.file(
      'bad.csv',
      'agent_id,dtime,period_end,download_count,download_p50\na,2024-10-01,2024-10-31,-1,5\nb,2024-10-01,2024-10-31,9,fast\nc,2024-10-01,2024-10-31,9,5\n',
    );
    const args = ['load', '--org', panel.tenant.name, '--test', 'cells', path];
    const { stdout } = await netpanel(panel.stack, ...args);
    expect(stdout).to.include('3 rows read: 1 rows loaded, 2 rejected');
    expect(stdout).to.match(/download_count .* first in line 2: "-1"/);
    expect(stdout).to.match(/download_p50 .* first in line 3: "fast"/);
  });
});
