import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cliEnvironment } from '../../../services/cli/config.ts';
import { writeEnvFile } from '../../../services/shared/config/env-file.ts';

const local = {
  DATABASE_URL: 'postgres://local/netpanel',
  CLICKHOUSE_URL: 'http://local:8123',
  CLICKHOUSE_USER: 'local_user',
  EXPORT_FOLDER: '/local/exports',
};
const production = {
  DATABASE_URL: 'postgres://production/netpanel',
  CLICKHOUSE_URL: 'http://production:8123',
};

describe('the environment of netpanel', () => {
  let folder: string;
  let file: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-env-'));
    file = join(folder, 'env');
    writeEnvFile(file, local);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is the local stack without an address of a store', () => {
    expect(cliEnvironment({ LOG_LEVEL: 'debug' }, file)).to.deep.equal({
      ...local,
      LOG_LEVEL: 'debug',
    });
  });

  it('keeps a variable over that of the local stack', () => {
    const { EXPORT_FOLDER } = cliEnvironment({ EXPORT_FOLDER: '/mine' }, file);
    expect(EXPORT_FOLDER).to.equal('/mine');
  });

  it('has nothing of the local stack with the addresses of both stores', () => {
    expect(cliEnvironment(production, file)).to.deep.equal(production);
  });

  for (const [name, value] of Object.entries(production)) {
    it(`does not combine ${name} with the other store of the local stack`, () => {
      expect(cliEnvironment({ [name]: value }, file)).to.deep.equal({ [name]: value });
    });
  }

  it('is the local stack with empty addresses, which count as not set', () => {
    const empty = { DATABASE_URL: '', CLICKHOUSE_URL: '' };
    expect(cliEnvironment(empty, file)).to.deep.equal(local);
  });
});
