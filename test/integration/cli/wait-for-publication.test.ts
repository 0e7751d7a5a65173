import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, runNetpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

describe('a command that changes metadata', () => {
  let stack: LocalStack;
  let folder: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-wait-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, ...lines: string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const waited = /^queries use metadata version \d+, after a wait of \d+\.\d s$/m;

  describe('with a metadata service', () => {
    let tenant: Tenant;
    let api: DataApi;
    beforeEach(async () => {
      tenant = await newTenant(stack.database);
      api = new DataApi(stack.queryUrl, tenant.dataToken);
    });

    it('returns when queries see the imported metadata, and prints what it waited for', async () => {
      const path = file('agents.csv', 'unit_id,isp,custom.tier', '11,Northwave,gold');
      const { code, stderr } = await netpanel(
        stack,
        'agents',
        'import',
        '--org',
        tenant.name,
        path,
      );
      expect(code, stderr).to.equal(0);
      expect(stderr).to.match(waited);
      const { body } = await api.get('/filters/tier/values');
      expect(body.data).to.deep.equal(['gold']);
      expect(body.warnings).to.equal(undefined);
    });

    it('returns when queries know the agents that a load has registered', async () => {
      const path = file('results.csv', 'unit_id,dtime,bytes_sec', '12,2026-01-10 10:00:00,1');
      const load = ['load', '--org', tenant.name, '--test', 'httpget', path];
      const { code, stderr } = await netpanel(stack, ...load);
      expect(code, stderr).to.equal(0);
      // The load may take longer than the publication.
      if (stderr !== '') expect(stderr).to.match(waited);
      expect((await api.get('/splits')).body.warnings).to.equal(undefined);
      // Nothing is registered again, so there is nothing to wait for.
      expect((await netpanel(stack, ...load)).stderr).not.to.match(waited);
    });
  });

  describe('without a metadata service', () => {
    let stores: IsolatedStores;
    let tenant: Tenant;
    before(async () => {
      stores = await isolatedStores();
      tenant = await newTenant(stores.database);
    });
    after(() => stores.close());

    const importAgents = (...args: string[]) =>
      runNetpanel(stores.env, ['agents', 'import', '--org', tenant.name, ...args]);
    const storedUnits = () =>
      stores.database('agents').where({ organisation_id: tenant.organisationId }).pluck('unit_id');

    it('ends with code 6 after the time limit, and reports that everything is stored', async () => {
      const path = file('late.csv', 'unit_id', '13');
      const { code, stdout, stderr } = await importAgents('--wait-seconds', '1', path);
      expect(code).to.equal(6);
      expect(stdout).to.match(/^1 agents read: 1 added/);
      expect(stderr).to.contain('Everything is stored, but after 1.0 s queries still use');
      expect(stderr).to.contain('No metadata service is connected to this Postgres database');
      expect(await storedUnits()).to.include(13);
    });

    it('does not wait with --no-wait', async () => {
      const { code, stderr } = await importAgents('--no-wait', file('now.csv', 'unit_id', '14'));
      expect(code).to.equal(0);
      expect(stderr).to.match(
        /^not waiting: queries use metadata version 0 until \d is published$/m,
      );
      expect(await storedUnits()).to.include(14);
    });

    it('refuses an invalid time limit before it imports anything', async () => {
      const path = file('never.csv', 'unit_id', '15');
      const { code, stderr } = await importAgents('--wait-seconds', 'soon', path);
      expect(code).to.equal(2);
      expect(stderr).to.contain('--wait-seconds must be a whole number of at least 1, not "soon"');
      expect(await storedUnits()).not.to.include(15);
    });
  });
});
