import { createHash, randomInt } from 'node:crypto';
import type { ApiInterface } from '../shared/auth/caller.ts';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** `npd_…` for the data interface, `npm_…` for the metadata interface. Logs redact these prefixes. */
export function newToken(forInterface: ApiInterface): string {
  const secret = Array.from({ length: 40 }, () => letters[randomInt(letters.length)]).join('');
  return `${forInterface === 'data' ? 'npd' : 'npm'}_${secret}`;
}

/** Only the hash of a token is stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
