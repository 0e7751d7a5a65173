import { expect } from 'chai';
import { ingestTenant, ndjson, result } from '../support/ingest-tenant.ts';

describe('an Idempotency-Key that two organisations use', () => {
  const key = { 'idempotency-key': 'the-same-key' };

  it('is neither a replay nor a conflict for the other one, also at the same time', async () => {
    const tenants = [await ingestTenant(), await ingestTenant()] as const;
    const bodies = [ndjson(result(1, 1), result(2, 'x')), ndjson(result(3, 3))] as const;
    const send = (place: 0 | 1) => tenants[place].post('/results/httpget', bodies[place], key);
    const summary = async (replies: Promise<Awaited<ReturnType<typeof send>>[]>) =>
      (await replies).map(({ status, headers, body }) => [
        status,
        headers.get('idempotency-replayed'),
        body.data?.stored,
        body.data?.rejected,
      ]);
    expect(await summary(Promise.all([send(0), send(1)]))).to.deep.equal([
      [200, 'false', 1, 1],
      [200, 'false', 1, 0],
    ]);
    expect(await summary(Promise.all([send(0), send(1)]))).to.deep.equal([
      [200, 'true', 1, 1],
      [200, 'true', 1, 0],
    ]);
    for (const [place, { rows }] of tenants.entries()) {
      expect(await rows('httpget', 'bytes_sec')).to.deep.equal([{ bytes_sec: 1 + 2 * place }]);
    }
  });
});
