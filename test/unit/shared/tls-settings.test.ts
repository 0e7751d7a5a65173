import { expect } from 'chai';
import { readMetadataConfig } from '../../../services/metadata/config.ts';
import { readQueryConfig } from '../../../services/query/config.ts';
import { SettingsError } from '../../../services/shared/config/read-settings.ts';
import { runBuilt } from '../../support/run-built.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { type TlsFolder, tlsFolder } from '../../support/tls-files.ts';

const stores = { DATABASE_URL: 'postgres://nowhere/x', CLICKHOUSE_URL: 'http://nowhere' };
const good = selfSignedCertificate();
const other = selfSignedCertificate();

for (const [name, readConfig] of [
  ['query', readQueryConfig],
  ['metadata', readMetadataConfig],
] as const) {
  describe(`the TLS settings of the ${name} service`, () => {
    let files: TlsFolder | undefined;
    afterEach(() => files?.remove());

    it('must both be set, or neither', () => {
      expect(readConfig(stores)).to.include({ tlsCertFile: '', tlsKeyFile: '' });
      const pair = { TLS_CERT_FILE: 'a.crt', TLS_KEY_FILE: 'a.key' };
      expect(readConfig({ ...stores, ...pair })).to.include({ tlsCertFile: 'a.crt' });
      expect(() => readConfig({ ...stores, TLS_CERT_FILE: 'a.crt' })).to.throw(
        SettingsError,
        'TLS_KEY_FILE must be set if TLS_CERT_FILE is set',
      );
      expect(() => readConfig({ ...stores, TLS_KEY_FILE: 'a.key' })).to.throw(
        SettingsError,
        'TLS_CERT_FILE must be set if TLS_KEY_FILE is set',
      );
    });

    for (const [what, pair, reason] of [
      [
        'a key of another certificate',
        { cert: good.cert, key: other.key },
        'TLS_KEY_FILE does not match the certificate in TLS_CERT_FILE',
      ],
      [
        'half a certificate',
        { cert: good.cert.slice(0, 200), key: good.key },
        'TLS_CERT_FILE must contain a certificate in PEM',
      ],
      [
        'half a key',
        { cert: good.cert, key: good.key.slice(0, 100) },
        'TLS_KEY_FILE must contain a private key in PEM without a passphrase',
      ],
    ] as const) {
      it(`make the process exit with code 2 and the reason for ${what}`, async () => {
        files = await tlsFolder(pair);
        expect(await start(files.settings)).to.deep.equal({
          code: 2,
          stdout: '',
          stderr: `Invalid settings:\n  ${reason}\n`,
        });
      });
    }

    it('make the process exit with code 2 for a missing file', async () => {
      const { code, stderr } = await start({ TLS_CERT_FILE: '/no/crt', TLS_KEY_FILE: '/no/key' });
      expect(code).to.equal(2);
      expect(stderr).to.include('TLS_CERT_FILE cannot be read: /no/crt (ENOENT)');
    });

    function start(settings: Readonly<Record<string, string>>) {
      return runBuilt(`services/${name}/main.js`, { ...stores, ...settings });
    }
  });
}
