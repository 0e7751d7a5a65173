import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChdbLibrary } from './chdb-library.ts';
import { enginePackage } from './engine-package.ts';
import { writeServerConfig } from './server-config.ts';

// Checks whether the native engine works on this machine: runs one query and exits with 0. It is a
// separate process because an incompatible library crashes its process.

const dataDir = mkdtempSync(join(tmpdir(), 'netpanel-probe-'));
try {
  const configFile = await writeServerConfig(dataDir);
  const connection = await ChdbLibrary.open(enginePackage).connect({ dataDir, configFile });
  const { data } = await connection.query('SELECT 6 * 7');
  if (Buffer.from(data).toString() !== '42\n')
    throw new Error('the engine returned a wrong result');
  await connection.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
