import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type EnvFile = Readonly<Record<string, string>>;

/** `KEY=value` lines; nothing when there is no such file. */
export function readEnvFile(path: string): EnvFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const pairs = text
    .split('\n')
    .map((line) => /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => [match[1], match[2]] as const);
  return Object.fromEntries(pairs) as EnvFile;
}

/** Only its owner may read it: it holds tokens. */
export function writeEnvFile(path: string, values: EnvFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path, lines.join(''), { mode: 0o600 });
}
