import { createHash } from 'node:crypto';
import { productVersion } from '../../shared/product-version.ts';

const release = productVersion();

/**
 * The same text for the same content in the same release: another release may define a view in another way, and so
 * compute another answer with the same SQL.
 */
export function contentKey(content: unknown, ofRelease = release): string {
  return createHash('sha256')
    .update(JSON.stringify([ofRelease, content]))
    .digest('base64url')
    .slice(0, 32);
}
