import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChdbLibrary } from './chdb-library.ts';
import { enginePackage } from './engine-package.ts';
import { writeServerConfig } from './server-config.ts';

// Runs one query in the native engine and exits with 0: whether the library loads and works on this
// machine. In a process of its own, since a library that does not fit ends its process.

const dataDir = mkdtempSync(join(tmpdir(), 'netpanel-probe-'));
try {
  const configFile = await writeServerConfig(dataDir);
  const connection = await ChdbLibrary.open(enginePackage).connect({ dataDir, configFile });
  const { data } = await connection.query('SELECT 6 * 7');
  if (Buffer.from(data).toString() !== '42\n') throw new Error('the engine answers wrongly');
  await connection.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
