import { expect } from 'chai';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { metadataTenant } from '../support/metadata-tenant.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import type { Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Changes that wait at once. `make proof-faults` has more. */
const changeCount = Number(process.env.QUEUED_CHANGES ?? 12);

describe('changes of an organisation that wait for a lock', () => {
  let service: ServiceProcess;
  before(async () => {
    service = await startServiceProcess('metadata', {
      CHANGE_QUEUE_MS: '3000',
      CHANGE_LOCK_TIMEOUT_MS: '4000',
    });
  });
  after(() => service.kill('SIGKILL'));

  it('are refused with Retry-After, and another organisation notices nothing', async function () {
    this.timeout(120_000 + changeCount * 1_000);
    const { database, tenant } = await metadataTenant(1);
    const other = await metadataTenant(1);
    const otherClient = metadataClient(service.url, other.tenant.metadataToken);
    const numbers = Array.from({ length: changeCount }, (_, i) => i);
    const put = (number: number) =>
      fetch(`${service.url}/metadata`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${tenant.metadataToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          agent: { unit_id: 1 },
          metadata: { custom: { [`change_${number}`]: number } },
        }),
      });

    // As a long import does.
    const holder = await database.transaction();
    await holder.raw('select pg_advisory_xact_lock(1, ?)', [tenant.organisationId]);
    const waiting = Promise.all(numbers.map(put));
    try {
      await waitUntil(async () => (await waitingLocks(database, tenant)) > 0);
      expect((await otherClient.get('/metadata/unit/1')).status).to.equal(200);
      const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
      expect((await otherClient.put(change)).status).to.equal(200);
      expect((await fetch(`${service.opsUrl}/readyz`)).status).to.equal(200);
      await waiting;
    } finally {
      await holder.rollback();
    }

    const refused = await waiting;
    expect(refused.map(({ status }) => status)).to.deep.equal(numbers.map(() => 429));
    for (const response of refused) {
      expect(Number(response.headers.get('retry-after'))).to.be.greaterThan(0);
      expect(await response.json()).to.have.property('code', 'RATE_LIMITED');
    }
    for (const number of numbers) expect((await put(number)).status).to.equal(200);
    const client = metadataClient(service.url, tenant.metadataToken);
    expect((await client.get('/metadata/unit/1')).body.data).to.have.deep.property(
      'custom',
      Object.fromEntries(numbers.map((number) => [`change_${number}`, number])),
    );
  });

  it('may be requests for an erasure, which are refused in the same way', async function () {
    this.timeout(120_000 + changeCount * 1_000);
    const { database, tenant } = await metadataTenant(1);
    const other = await metadataTenant(1);
    const client = metadataClient(service.url, tenant.metadataToken);
    const holder = await database.transaction();
    await holder.raw('select pg_advisory_xact_lock(1, ?)', [tenant.organisationId]);
    const waiting = Promise.all(
      Array.from({ length: changeCount }, () => client.delete('/metadata/unit/1')),
    );
    try {
      await waitUntil(async () => (await waitingLocks(database, tenant)) > 0);
      const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
      const otherClient = metadataClient(service.url, other.tenant.metadataToken);
      expect((await otherClient.put(change)).status).to.equal(200);
      expect(new Set((await waiting).map(({ status }) => status))).to.deep.equal(new Set([429]));
    } finally {
      await holder.rollback();
    }
    await waiting;
    expect((await client.delete('/metadata/unit/1')).status).to.equal(202);
  });
});

async function waitingLocks(database: Database, { organisationId }: Tenant): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ count: number }] }>(
    `select count(*) from pg_locks
     where locktype = 'advisory' and not granted and objid::bigint = ?`,
    [organisationId],
  );
  return rows[0].count;
}
