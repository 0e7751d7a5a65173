import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ingestTenant, minutesAgo, postResults } from '../../support/ingest-tenant.ts';
import { localStack } from '../../support/local-stack.ts';
import { startServiceProcess } from '../../support/service-process.ts';

const json = { 'content-type': 'application/yang-data+json' };

function report(tables: readonly object[], agentId: unknown = 'box-7'): string {
  const end = `${minutesAgo(5).replace(' ', 'T')}+00:00`;
  const result = [
    { schedule: 'hourly', action: 'ping', task: 'ping', end, status: 0, table: tables },
  ];
  return JSON.stringify({ 'ietf-lmap-report:report': { date: end, 'agent-id': agentId, result } });
}

const pings = {
  function: [{ uri: 'urn:netpanel:test:ping' }],
  column: ['target', 'rtt_avg', 'successes'],
  row: [{ value: ['a.example', '10250', '10'] }, { value: ['b.example', 'slow', '10'] }],
};

describe('POST /lmap/reports', () => {
  it('stores the rows of a report in their tests and lists what it ignores', async () => {
    const tenant = await ingestTenant();
    const other = {
      function: [{ uri: 'urn:example:stderr' }],
      column: ['line'],
      row: [{ value: ['x'] }],
    };
    const { status, body } = await tenant.post('/lmap/reports', report([pings, other]), json);
    expect(status).to.equal(200);
    expect(body.data).to.deep.equal({
      tests: {
        ping: {
          rows: 2,
          stored: 1,
          duplicates: 0,
          rejected: 1,
          agentsRegistered: 0,
          rejects: [
            {
              row: 2,
              reason: 'rtt_avg must be a whole number from 0 to 4294967295',
              column: 'rtt_avg',
              value: 'slow',
            },
          ],
        },
      },
      ignoredFunctions: ['urn:example:stderr'],
    });
    expect(await tenant.rows('ping', 'agent_id, target, rtt_avg, successes')).to.deep.equal([
      { agent_id: 'box-7', target: 'a.example', rtt_avg: 10250, successes: 10 },
    ]);
  });

  it('returns 422 with the path of every problem, and stores nothing', async () => {
    const tenant = await ingestTenant();
    const uneven = { ...pings, row: [{ value: ['a.example'] }] };
    const { status, body } = await tenant.post('/lmap/reports', report([pings, uneven], 7), json);
    expect([status, body.errors]).to.deep.equal([
      422,
      {
        'agent-id': ['This value should be of type string.'],
        'result[0][table][1][row][0]': ['This value should have 3 values.'],
      },
    ]);
    const missing = await tenant.post('/lmap/reports', '{"report": {}}', json);
    expect(missing.body.errors).to.deep.equal({
      'ietf-lmap-report:report': ['This field is missing.'],
    });
    const broken = await tenant.post('/lmap/reports', '{"report": ', json);
    expect([broken.status, broken.body.code]).to.deep.equal([400, 'BAD_REQUEST']);
    expect(await tenant.rows('ping', 'target')).to.deep.equal([]);
  });

  it('maps functions and columns by the registry file of the operator', async () => {
    const { stateDir } = await localStack();
    const file = join(stateDir, 'lmap.json');
    const columns = {
      target: 'host',
      rtt_avg: { column: 'rtt-ms', times: 1000 },
      successes: 'received',
    };
    writeFileSync(
      file,
      JSON.stringify({ functions: [{ uri: 'urn:example:rtt', test: 'ping', columns }] }),
    );
    const service = await startServiceProcess('ingest', { INGEST_LMAP_REGISTRY: file });
    try {
      const tenant = await ingestTenant();
      const table = {
        function: [{ uri: 'urn:example:rtt' }],
        column: ['host', 'rtt-ms', 'received', 'other'],
        row: [{ value: ['a.example', '10.5', '3', 'x'] }],
      };
      const { status } = await postResults(
        service.url,
        tenant.token,
        '/lmap/reports',
        report([table]),
        json,
      );
      expect(status).to.equal(200);
      expect(await tenant.rows('ping', 'target, rtt_avg, successes')).to.deep.equal([
        { target: 'a.example', rtt_avg: 10500, successes: 3 },
      ]);
    } finally {
      await service.kill('SIGTERM');
    }
  });
});
