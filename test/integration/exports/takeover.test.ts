import { expect } from 'chai';
import { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import { doDue } from '../../../services/shared/jobs/durable-job.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { localStack } from '../../support/local-stack.ts';
import { newTenant } from '../../support/tenant.ts';

describe('an export whose process was killed', () => {
  it('is taken over by one of several replicas that find it at the same time', async function () {
    this.timeout(400_000);
    const { database } = await localStack();
    const store = 'of the replicas of this test';
    const id = await addExportRow(database, await newTenant(database), {
      store,
      job: '{}',
      lost_at: new Date(Date.now() - 1_000),
      expires_at: new Date(Date.now() + 3_600_000),
    });
    const replicas = Array.from(
      { length: 4 },
      () => new ExportLedger({ requests: database, background: database }, store, 10_000),
    );
    const found = await Promise.all(replicas.map((replica) => replica.lost([])));
    expect(found.map((lost) => lost.map((one) => one.id))).to.deep.equal(Array(4).fill([id]));
    const attempts = await Promise.all(
      replicas.map(({ claim }, i) =>
        doDue({ due: () => Promise.resolve(found[i]!), claim, run: ({ attempt }) => attempt }),
      ),
    );
    expect(attempts.flat()).to.deep.equal([2]);
    expect(await replicas[0]!.lost([])).to.deep.equal([]);
    await database('exports').where({ id }).delete();
  });
});
