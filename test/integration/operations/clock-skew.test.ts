import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { type IngestTenant, ingestTenant, ndjson, result } from '../../support/ingest-tenant.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { daysAgo } from '../../support/metadata-tenant.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { ScrapedMetrics } from '../../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe('a service whose clock is off', () => {
  let stack: LocalStack;
  let shiftFile: string;
  const started: ServiceProcess[] = [];

  const shiftBy = (ms: number) => writeFileSync(shiftFile, String(ms));
  const start = async (name: 'query' | 'metadata' | 'ingest') => {
    const preload = pathToFileURL(join(repositoryRoot, 'dist/test/support/shift-clock.js')).href;
    const settings = { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_FILE: shiftFile };
    const service = await startServiceProcess(name, settings, { startedPath: '/healthz' });
    started.push(service);
    return service;
  };
  const clockOf = async (service: ServiceProcess) => {
    const { httpStatus, dependencies } = await readinessOf(service);
    return { httpStatus, error: dependencies.clock?.error };
  };

  before(async () => {
    stack = await localStack();
    shiftFile = join(stack.stateDir, 'clock-shift');
    shiftBy(dayMs);
  });
  after(async () => {
    for (const service of started) await service.kill('SIGKILL');
  });

  describe('when it stores results', () => {
    let service: ServiceProcess;
    let tenant: IngestTenant;
    before(async () => {
      service = await start('ingest');
      tenant = await ingestTenant(service.url);
    });

    for (const [name, shiftMs] of [
      ['a day ahead', dayMs],
      ['a day behind', -dayMs],
      ['six seconds ahead', 6_000],
    ] as const) {
      it(`answers 503 for current and future results, ${name}, and stores none`, async () => {
        shiftBy(shiftMs);
        const headers = { 'Idempotency-Key': `key-${shiftMs}` };
        for (const minutes of [5, -6 * 60]) {
          const body = ndjson(result(minutes, 1_000_000));
          const reply = await tenant.post('/results/httpget', body, headers);
          expect(reply.status).to.equal(503);
          expect(reply.body.code).to.equal('CLOCK_SKEW');
          expect(reply.headers.get('Retry-After')).to.equal('10');
        }
        expect(await tenant.rows('httpget', 'dtime')).to.deep.equal([]);
        const { httpStatus, error } = await clockOf(service);
        expect(httpStatus).to.equal(503);
        expect(error).to.match(/^CLOCK_SKEW: .* s (ahead of|behind) the clock of Postgres/);
        const metrics = await ScrapedMetrics.from(service.opsUrl);
        const skewS = metrics.value('netpanel_clock_skew_seconds');
        // Measured with a query, which takes long on a busy machine.
        expect(skewS * 1000).to.be.within(shiftMs - 2_000, shiftMs + 2_000);
      });
    }

    it('stores the same request when the clock is right again, without a restart', async () => {
      shiftBy(0);
      const headers = { 'Idempotency-Key': `key-${dayMs}` };
      const body = ndjson(result(5, 1_000_000));
      const reply = await tenant.post('/results/httpget', body, headers);
      expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
      expect(await tenant.rows('httpget', 'bytes_sec')).to.have.length(1);
      expect(await clockOf(service)).to.deep.equal({ httpStatus: 200, error: undefined });
      const future = await tenant.post('/results/httpget', ndjson(result(-6 * 60, 1)));
      expect(future.status).to.equal(422);
    });
  });

  it('applies a metadata change from today on by the clock of Postgres', async () => {
    shiftBy(dayMs);
    const service = await start('metadata');
    expect((await clockOf(service)).httpStatus).to.equal(503);
    const { metadataToken, tenant } = await withAgent();
    const client = metadataClient(service.url, metadataToken);
    const put = (timezone: string, backdate?: number) =>
      client.put({
        agent: { unit_id: 7 },
        metadata: { timezone },
        ...(backdate === undefined ? {} : { backdate_from: backdate }),
      });
    const zone = async () => {
      const { body } = await client.get('/metadata/unit/7');
      return (body.data as { timezone: string }).timezone;
    };
    expect((await put('Europe/London')).status).to.equal(200);
    const [{ from }] = (
      await stack.database.raw<{ rows: [{ from: Date }] }>(
        `select lower(valid) as "from" from agent_metadata
         where organisation_id = ? and superseded_at is null and timezone = 'Europe/London'`,
        [tenant.organisationId],
      )
    ).rows;
    expect(from.getTime()).to.equal(Math.floor(Date.now() / dayMs) * dayMs);
    // Tomorrow is in the future for Postgres, 27 days ago is not too long ago.
    expect((await put('Europe/Paris', daysAgo(-0.5) | 0)).status).to.equal(422);
    expect((await put('Europe/Rome', daysAgo(27) - 60)).status).to.equal(200);
    // What was valid before the change is not what a service behind returns.
    await changeMetadata(stack.database, tenant, {
      agent: { unit_id: 7 },
      metadata: { timezone: 'Asia/Tokyo' },
      backdate_from: Math.floor((Date.now() - hourMs) / 1000),
    });
    for (const shiftMs of [dayMs, -dayMs]) {
      shiftBy(shiftMs);
      expect(await zone()).to.equal('Asia/Tokyo');
      const { body } = await client.get('/agents');
      expect(body.data).to.have.length(1);
      expect((body.data as { timezone: string }[])[0]!.timezone).to.equal('Asia/Tokyo');
    }
  });

  it('answers relative times by the clock of Postgres', async () => {
    const tenant = await ingestTenant();
    const stored = await tenant.post('/results/httpget', ndjson(result(30, 1_000_000)));
    expect(stored.status).to.equal(200);
    shiftBy(2 * dayMs);
    const service = await start('query');
    expect((await clockOf(service)).httpStatus).to.equal(503);
    const api = new DataApi(service.url, tenant.dataToken);
    const time = { from: '-1 days', to: 'now' };
    expect(await api.points({ ...plainRequest, chartType: 'raw', time })).to.have.length(1);
  });

  async function withAgent() {
    const tenant = await ingestTenant();
    return { tenant, metadataToken: tenant.metadataToken };
  }
});
