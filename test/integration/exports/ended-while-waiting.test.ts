import { expect } from 'chai';
import { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { holdExport } from '../../support/background-export.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { request, useSlowExports } from './use-slow-exports.ts';

describe('an export that ends while its client waits', () => {
  const own = useSlowExports({ EXPORT_HEARTBEAT_MS: '300', EXPORT_WAIT_MS: '60000' });

  for (const path of ['/test_data.csv', '/test_data_download']) {
    it(`503 from ${path}: another replica missed its heartbeats and marked it as failed`, async () => {
      const { response, id } = await waitingRequest(path);
      // What a replica does after ten missed heartbeats of the last attempt.
      const replica = new ExportLedger(
        { requests: own.stack.database, background: own.stack.database },
        own.storage.store.name,
        300,
      );
      await waitUntil(async () => {
        await own.stack
          .database('exports')
          .where({ id })
          .update({ lost_at: new Date(0), attempt: 3 });
        await replica.failLost([]);
        return (await statusOf(id)) === 'failed';
      });
      const { status, body } = await response;
      expect({ status, body }).to.deep.equal({
        status: 503,
        body: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'The export was interrupted. Please start it again.',
        },
      });
      expect(await own.storage.unfinished()).to.deep.equal([]);
    });

    it(`409 from ${path}: it was cancelled`, async () => {
      const { response, id } = await waitingRequest(path);
      expect((await own.api.send('DELETE', `/exports/${id}`, {})).status).to.equal(200);
      const { status, body } = await response;
      expect({ status, code: body.code }).to.deep.equal({ status: 409, code: 'EXPORT_CANCELLED' });
      expect(await own.storage.unfinished()).to.deep.equal([]);
    });
  }

  it('is never marked as failed by the process that runs it, even with late heartbeats', async () => {
    const statuses = await inRolledBackTransaction(async (database) => {
      const [running, lost] = [await addLostExport(database), await addLostExport(database)];
      await new ExportLedger(
        { requests: database, background: database },
        own.storage.store.name,
        300,
      ).failLost([running]);
      return Promise.all([running, lost].map((id) => statusOf(id, database)));
    });
    expect(statuses).to.deep.equal(['running', 'failed']);
  });

  /** A request that waits for an incomplete file, and the id of its export. */
  async function waitingRequest(path: string) {
    holdExport(own.proxy);
    const response = own.api.post(path, request);
    await waitUntil(async () => (await own.storage.unfinished()).length === 1);
    const { id } = await own.stack
      .database('exports')
      .where({ organisation_id: own.tenant.organisationId, status: 'running' })
      .first<{ id: string }>('id');
    return { response, id };
  }

  /** Hides the rows from the other services on this database. */
  async function inRolledBackTransaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const transaction = await own.stack.database.transaction();
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  function addLostExport(database: Database): Promise<string> {
    return addExportRow(database, own.tenant, {
      store: own.storage.store.name,
      lost_at: new Date(0),
      expires_at: new Date(Date.now() + 3_600_000),
    });
  }

  async function statusOf(id: string, database: Database = own.stack.database): Promise<string> {
    return (await database('exports').where({ id }).first<{ status: string }>('status')).status;
  }
});
