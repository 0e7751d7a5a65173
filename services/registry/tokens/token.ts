import { createHash, randomInt } from 'node:crypto';
import type { ApiInterface } from '../../shared/auth/caller.ts';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Logs redact these prefixes. */
const prefixes: Readonly<Record<ApiInterface, string>> = { data: 'npd_', metadata: 'npm_' };

/** `npd_…` for the data interface, `npm_…` for the metadata interface. */
export function newToken(forInterface: ApiInterface): string {
  const secret = Array.from({ length: 40 }, () => letters[randomInt(letters.length)]).join('');
  return `${prefixes[forInterface]}${secret}`;
}

/** Whether a text has the format of a token. */
export function isTokenText(text: string, forInterface: ApiInterface): boolean {
  const prefix = prefixes[forInterface];
  return text.startsWith(prefix) && /^[A-Za-z0-9]{40}$/.test(text.slice(prefix.length));
}

/** Only the hash of a token is stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
