import { createHash } from 'node:crypto';

/** The same text for the same content. */
export function contentKey(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 32);
}
