import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provenance } from './provenance.ts';

// Run by deploy/release/release.sh:  write-provenance.js FOLDER

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: write-provenance.js FOLDER');
const { VERSION = '', REVISION = '', BASE = '', BASE_DIGEST = '' } = process.env;
const statement = provenance({
  checksums: readFileSync(join(folder, 'SHA256SUMS'), 'utf8'),
  revision: REVISION,
  base: BASE,
  baseDigest: BASE_DIGEST,
  now: new Date(),
});
const file = join(folder, `netpanel-${VERSION}.provenance.json`);
writeFileSync(file, `${JSON.stringify(statement, undefined, 2)}\n`);
