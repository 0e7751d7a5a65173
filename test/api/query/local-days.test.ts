import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const dayMs = 86_400_000;
/** Names of the Etc area have the opposite sign: UTC+14 and UTC-12. */
const households = [
  { agentId: 'east', timezone: 'Etc/GMT-14', utcOffsetHours: 14 },
  { agentId: 'west', timezone: 'Etc/GMT+12', utcOffsetHours: -12 },
];

describe('a day in the time of POST /metric_data', () => {
  const mondayMs = lastMondayMs(Date.now());
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    const { organisationId } = tenant;
    api = new DataApi(queryUrl, tenant.dataToken);
    for (const { agentId, timezone, utcOffsetHours } of households) {
      const agentKey = await addAgent(database, organisationId, { agentId });
      const change = { agent: { agent_id: agentId }, metadata: { timezone } };
      await changeMetadata(database, tenant, change, new Date(mondayMs - 14 * dayMs));
      const at = (localMs: number, mbps: number) => ({
        agentKey,
        agentId,
        dtime: textOf(localMs - utcOffsetHours * 3_600_000),
        mbps,
      });
      await addDownloads(clickhouse, organisationId, [
        at(mondayMs - 1000, 1),
        at(mondayMs, 20),
        at(mondayMs + dayMs - 1000, 40),
        at(mondayMs + dayMs, 2),
      ]);
    }
    await waitUntilPublished(database, organisationId);
  });

  for (const [what, day] of [
    ['as a word', 'last monday'],
    ['as a date', textOf(mondayMs).slice(0, 10)],
  ] as const) {
    it(`${what} is the whole day on the calendar of each household`, async () => {
      const time = { from: day, to: day };
      const points = await api.points({
        ...plainRequest,
        chartType: 'raw',
        splits: ['agent'],
        time,
      });
      const found = points.map(
        ({ agent, metricValue }) => `${String(agent)} ${String(metricValue)}`,
      );
      expect(found.sort()).to.deep.equal(['east 20', 'east 40', 'west 20', 'west 40']);
    });
  }

  it('is not what -7 days and now are: these are moments', async () => {
    const request = { time: { from: '-7 days', to: 'now' }, splits: [] };
    const { body } = await api.post('/metric_data/explain', {
      metric: 'httpget',
      chartType: 'raw',
      normalised: false,
      prefilter: false,
      ...request,
    });
    expect((body.data as { sql: string }).sql).not.to.include('local_time >=');
  });
});

/** The start of the last Monday before today, in UTC. */
function lastMondayMs(nowMs: number): number {
  const todayMs = nowMs - (nowMs % dayMs);
  const daysSinceMonday = (new Date(todayMs).getUTCDay() + 6) % 7;
  return todayMs - (daysSinceMonday === 0 ? 7 : daysSinceMonday) * dayMs;
}

function textOf(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 19).replace('T', ' ');
}
