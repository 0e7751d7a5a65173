import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { runWalkThrough } from '../../support/walk-through.ts';

const acccDir = process.env.ACCC_DATA_DIR;

// The data is not part of the repository: .ci/run finds it where it lies beside the checkout.
(acccDir === undefined ? describe.skip : describe)('the ACCC’s release of May 2022', () => {
  const folder = acccDir ?? '';
  let stack: LocalStack;
  let tenant: Tenant;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
  });

  it('gives the 15 published figures by requests and in SQL', async () => {
    await netpanelOk(
      stack,
      ...['load', '--org', tenant.name, '--preset', 'accc', '--period', '2022-05-01/2022-05-31'],
      join(folder, 'mba-report-18-may-2022.csv'),
    );
    await waitUntilPublished(stack.database, tenant.organisationId);
    const columns = [
      ['panelDownload', 'advertised_download_mbps'],
      ['panelDownloadBusy', 'advertised_download_mbps'],
      ['panelUpload', 'advertised_upload_mbps'],
      ['panelUploadBusy', 'advertised_upload_mbps'],
    ] as const;
    const figures = await Promise.all(columns.map(([metric, plan]) => percentOfPlan(metric, plan)));
    const inViews = await Promise.all(
      columns.map(([metric, plan]) => percentInViews(metric, plan)),
    );
    expect(inViews).to.deep.equal(figures);
    const row = (isp: string) => figures.map((figure) => figure[isp]);
    expect(row('all providers')).to.deep.equal(['99.3', '97.6', '85.6', '85.3']);
    expect(row('Exetel')).to.deep.equal(['103.5', '102.3', '88.7', '88.5']);
    expect(row('Launtel').slice(0, 2)).to.deep.equal(['102.1', '100.1']);
    expect(row('Telstra').slice(0, 2)).to.deep.equal(['101.0', '99.7']);
    expect(row('Optus').slice(0, 2)).to.deep.equal(['101.0', '99.5']);
    const busy = Object.entries(figures[1] ?? {}).sort(([, a], [, b]) => Number(a) - Number(b));
    expect(busy[0]).to.deep.equal(['MyRepublic', '88.8']);
  });

  it('has weights from the midnight of each time zone on, raked from the first day', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'netpanel-accc-')), 'margins.csv');
    const types = ['NBN,70', 'NBN_FW,10', 'NBN very high speed services,15'];
    const margin = ['custom.connection_type,total', ...types, 'Non-NBN fixed line services,5'];
    writeFileSync(file, margin.join('\n'));
    const rake = ['weights', 'rake', '--org', tenant.name, '--margins', file];
    const more = ['--as', 'custom.raked', '--from', '2022-05-01', '--replicates', '10'];
    await netpanelOk(stack, ...rake, ...more);
    const { rows } = await stack.database.raw<{ rows: unknown[] }>(
      `select timezone, to_char(lower(valid) at time zone 'UTC', 'DD HH24:MI') as "from", count(*)
       from agent_metadata
       where organisation_id = ? and superseded_at is null and jsonb_exists(custom, 'raked')
       group by 1, 2 order by 1`,
      [tenant.organisationId],
    );
    expect(rows).to.deep.equal([
      { timezone: 'Australia/Adelaide', from: '30 14:30', count: 86 },
      { timezone: 'Australia/Brisbane', from: '30 14:00', count: 242 },
      { timezone: 'Australia/Hobart', from: '30 14:00', count: 73 },
      { timezone: 'Australia/Melbourne', from: '30 14:00', count: 397 },
      { timezone: 'Australia/Perth', from: '30 16:00', count: 119 },
      { timezone: 'Australia/Sydney', from: '30 14:00', count: 526 },
    ]);
    const [weighted, all] = await Promise.all(
      [{ weight: 'custom.raked', weightReplicates: true }, {}].map(async (fields) => {
        const { status, body } = await new DataApi(stack.queryUrl, tenant.dataToken).post(
          '/metric_data',
          {
            ...plainRequest,
            ...fields,
            metric: 'panelDownload',
            aggregation: 'total',
            time: { from: '2022-05-01', to: '2022-05-31' },
            household: { statistic: 'mean' },
          },
        );
        expect(status, JSON.stringify(body)).to.equal(200);
        return (body.data as { metricData: Record<string, number>[] }[])[0]!.metricData[0]!;
      }),
    );
    expect(weighted!.agentCount).to.equal(all!.agentCount).and.to.be.above(1400);
    expect(weighted!.ci95).to.be.above(0);
  });

  it('gives the same figures from raw results, by the name of the method', async () => {
    // In busy hours 98 results with the unit's mean and one on each side, which the trim cuts off; ten in the
    // morning, which are outside of the window. The period began at midnight of a Sunday in the unit's zone.
    await stack.clickhouse.command({
      query: `INSERT INTO test_httpget
          (organisation_id, agent_key, agent_id, unit_id, dtime, target, bytes_sec, successes)
        SELECT organisation_id, agent_key, agent_id, unit_id,
          dtime + toIntervalSecond(86400 * (1 + n % 5) + n * 7
            + 3600 * if(n < 100, 19 + intDiv(n, 5) % 4, 10)),
          'a.example.net', round(value * 125000 * transform(n, [0, 1], [0.01, 50], if(n < 100, 1, 0.5))), 1
        FROM metric_panelDownloadBusy ARRAY JOIN range(110) AS n
        WHERE organisation_id = ${tenant.organisationId}`,
    });
    const byUnits = await figuresOf({ metric: 'panelDownloadBusy', method: 'accc' });
    expect(byUnits).to.include({ 'all providers': '97.6', Exetel: '102.3', MyRepublic: '88.8' });
    expect(await figuresOf({ metric: 'httpget', method: 'accc' })).to.deep.equal(byUnits);
  });

  it('answers every command of docs/panels.md as it is written there', async () => {
    const { outputs, documented } = await runWalkThrough(stack, {
      heading: 'Walk-through: Measuring Broadband Australia',
      organisation: 'accc',
      data: { name: 'accc', folder },
    });
    expect(documented).to.have.length(2);
    expect(outputs).to.deep.equal(documented);
  });

  /** By ISP: the mean over units of speed divided by plan speed, as printed. */
  async function percentOfPlan(metric: string, plan: string): Promise<Record<string, string>> {
    return figuresOf({
      metric,
      household: { statistic: 'mean' },
      relativeTo: `custom.${plan}`,
    });
  }

  async function figuresOf(changes: object): Promise<Record<string, string>> {
    const api = new DataApi(stack.queryUrl, tenant.dataToken);
    const request = {
      ...changes,
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: false,
      filters: [{ id: 'custom.connection_type', filterType: 'include', filterValues: ['NBN'] }],
      time: { from: '2022-05-01', to: '2022-05-31' },
    };
    const points = await Promise.all(
      [[], ['isp']].map((splits) => api.points<Point>({ ...request, splits })),
    );
    return Object.fromEntries(
      points.flat().map(({ isp = 'all providers', metricValue }) => [isp, metricValue.toFixed(1)]),
    );
  }

  /** The same from the views for analysts. */
  async function percentInViews(metric: string, plan: string): Promise<Record<string, string>> {
    const rows = await queryRows<{ provider: string; percent: number }>(
      stack.clickhouse,
      `SELECT arrayJoin([isp, 'all providers']) AS provider,
              avg(100 * value / toFloat64(custom['${plan}'])) AS percent
       FROM metric_${metric}
       WHERE organisation_id = ${tenant.organisationId} AND custom['connection_type'] = 'NBN'
       GROUP BY provider`,
    );
    return Object.fromEntries(rows.map(({ provider, percent }) => [provider, percent.toFixed(1)]));
  }
});

interface Point {
  readonly isp?: string;
  readonly metricValue: number;
}
