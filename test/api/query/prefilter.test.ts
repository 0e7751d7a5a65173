import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

describe('the prefilter of POST /metric_data', () => {
  for (const { metric, test, sent, percentOfAll } of [
    { metric: 'pingLoss', test: 'ping', sent: { line: 10, faulty: 1001 }, percentOfAll: 99 },
    {
      metric: 'udpPacketLoss',
      test: 'latency',
      sent: { line: 2000, faulty: 49 },
      percentOfAll: 51,
    },
  ]) {
    it(`keeps the outages that ${metric} measures, and drops results of a faulty device`, async () => {
      const { database, clickhouse, queryUrl } = await localStack();
      const tenant = await newTenant(database);
      const agent = { agentId: 'box' };
      const agentKey = await addAgent(database, tenant.organisationId, agent);
      const at = (hour: number, successes: number, failures: number) => ({
        organisation_id: tenant.organisationId,
        agent_key: agentKey,
        agent_id: agent.agentId,
        dtime: `2026-03-01 ${hour}:00:00`,
        line_load: 'idle',
        successes,
        failures,
      });
      await clickhouse.insert({
        table: `test_${test}`,
        format: 'JSONEachRow',
        values: [at(10, sent.line, 0), at(11, 0, sent.line), at(12, 0, sent.faulty)],
      });
      const api = new DataApi(queryUrl, tenant.dataToken);
      const loss = async (prefilter: boolean) => {
        const time = { from: '2026-03-01', to: '2026-03-01' };
        const request = { ...plainRequest, metric, aggregation: 'total', prefilter, time };
        const [point] = await api.points(request);
        return [point?.sampleCount, Math.round(Number(point?.metricValue))];
      };
      expect(await loss(true)).to.deep.equal([2, 50]);
      expect(await loss(false)).to.deep.equal([3, percentOfAll]);
    });
  }
});
