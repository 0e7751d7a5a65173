import { expect } from 'chai';
import { type ExportData, exportStatus, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, type FileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { waitUntil } from '../../support/wait-until.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };

describe('the status of an export', () => {
  let api: DataApi;
  let other: DataApi;

  before(async () => {
    const { clickhouse, database, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    other = new DataApi(queryUrl, (await newTenant(database)).dataToken);
    const agent = { agentId: 'wb-1', unitId: 72 };
    const agentKey = await addAgent(database, tenant.organisationId, agent);
    const download = { agentKey, ...agent, dtime: '2026-03-01 00:00:00.000', mbps: 8 };
    await addDownloads(clickhouse, tenant.organisationId, [download]);
    await waitUntilPublished(database, tenant.organisationId);
  });

  describe('Prefer: respond-async', () => {
    it('202: returns the link to the file and a status link', async () => {
      const response = await api.post('/test_data.csv', march, { prefer: 'respond-async' });
      expect(response.status).to.equal(202);
      expect(response.headers.get('preference-applied')).to.equal('respond-async');
      const started = response.body.data as ExportData;
      expect(response.headers.get('location')).to.equal(started.statusUrl);
      const file = await fetched(started.url);
      const ready = await exportStatus(api, started.id);
      expect(ready).to.include({ status: 'ready', percent: 100, rows: 1 });
      expect(ready.bytes).to.equal(file.length);
      expect((await fetched(ready.url)).equals(file)).to.equal(true);
    });
  });

  describe('GET and DELETE /exports/{id}', () => {
    it("404: another organisation's export, an unknown export and an invalid id", async () => {
      const id = await startExport(api, march);
      for (const path of [`/exports/${id}`, `/exports/${id.replace(/^.{8}/, '00000000')}`]) {
        for (const method of ['GET', 'DELETE']) {
          expect((await other.send(method, path, {})).status).to.equal(404);
        }
      }
      expect((await api.get('/exports/1')).status).to.equal(404);
      await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
    });

    it('200: deletes a finished export and its link', async () => {
      const { headers, body } = await api.post('/test_data.csv', march);
      const id = headers.get('x-query-id')!;
      expect((await api.send('DELETE', `/exports/${id}`, {})).status).to.equal(200);
      expect((await exportStatus(api, id)).status).to.equal('cancelled');
      expect((await fetch((body.data as FileData).url)).status).to.equal(404);
    });
  });
});
