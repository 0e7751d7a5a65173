import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvFile = Readonly<Record<string, string>>;

/** Returns an empty object if the file does not exist. */
export function readEnvFile(path: string): EnvFile {
  return existsSync(path) ? (parseEnv(readFileSync(path, 'utf8')) as EnvFile) : {};
}

/** Readable only by its owner: it contains tokens. */
export function writeEnvFile(path: string, values: EnvFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path, lines.join(''), { mode: 0o600 });
}
