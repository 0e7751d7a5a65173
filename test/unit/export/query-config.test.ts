import { expect } from 'chai';
import { readQueryConfig } from '../../../services/query/config.ts';
import { publicUrlOf } from '../../../services/query/settings/public-url.ts';
import { SettingsError } from '../../../services/shared/config/read-settings.ts';

const stores = { DATABASE_URL: 'postgres://nowhere/x', CLICKHOUSE_URL: 'http://nowhere' };

describe('the settings of exports', () => {
  it('report a missing bucket together with an invalid URL and other problems', () => {
    const problems = problemsOf({
      DATABASE_URL: 'postgres://nowhere/x',
      CLICKHOUSE_URL: 'clickhouse',
      EXPORT_STORE: 's3',
      HOST: '0.0.0.0',
      MAX_RUNNING_QUERIES: '100',
      TLS_CERT_FILE: 'a.crt',
    });
    expect(problems).to.deep.equal([
      'CLICKHOUSE_URL must be a URL',
      'S3_BUCKET must be set if EXPORT_STORE is s3',
      'PUBLIC_URL must be set if HOST is 0.0.0.0: links to exports need the address that clients use',
      'TLS_KEY_FILE must be set if TLS_CERT_FILE is set',
      'MAX_RUNNING_QUERIES must be less than MAX_RUNNING_QUERIES_TOTAL, 100, not 100',
    ]);
  });

  it('do not blame a setting for another one that is invalid', () => {
    const problems = problemsOf({ ...stores, MAX_RUNNING_QUERIES_TOTAL: 'many' });
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/^MAX_RUNNING_QUERIES_TOTAL must be a whole number/);
  });

  for (const host of ['0.0.0.0', '::']) {
    it(`refuse to build links from the wildcard address ${host}`, () => {
      expect(problemsOf({ ...stores, HOST: host }).join()).to.match(/^PUBLIC_URL must be set/);
      const config = readQueryConfig({ ...stores, HOST: host, PUBLIC_URL: 'https://data.example' });
      expect(publicUrlOf(config)).to.equal('https://data.example');
    });
  }

  for (const wrong of [
    'data.example',
    'ftp://data.example',
    'http://0.0.0.0:8080',
    'http://[::]/',
  ]) {
    it(`refuse ${wrong} as the public URL`, () => {
      expect(problemsOf({ ...stores, PUBLIC_URL: wrong }).join()).to.match(
        /^PUBLIC_URL must be an/,
      );
    });
  }

  it('build links from the address that the service listens on', () => {
    expect(publicUrlOf(readQueryConfig(stores))).to.equal('http://127.0.0.1:8080');
    expect(publicUrlOf(readQueryConfig({ ...stores, HOST: '::1' }))).to.equal('http://[::1]:8080');
  });
});

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readQueryConfig(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
