import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvFile = Readonly<Record<string, string>>;

/** An empty object when the file does not exist. */
export function readEnvFile(path: string): EnvFile {
  return existsSync(path) ? (parseEnv(readFileSync(path, 'utf8')) as EnvFile) : {};
}

/** Only its owner may read it: it holds tokens. */
export function writeEnvFile(path: string, values: EnvFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path, lines.join(''), { mode: 0o600 });
}
