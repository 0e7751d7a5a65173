import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../shared/errors/app-error.ts';

/** Signs and verifies links that work without a token, for one path and until they expire. */
export class LinkSigner {
  readonly #publicUrl: string;
  readonly #secret: Buffer;

  constructor(publicUrl: string, secret: string) {
    this.#publicUrl = publicUrl.replace(/\/+$/, '');
    this.#secret = secret === '' ? randomBytes(32) : Buffer.from(secret);
  }

  /** `http://…/csv/0b1c…?expires=1790000000&signature=…` */
  link(path: string, expiresAt: Date): string {
    const expires = String(Math.floor(expiresAt.getTime() / 1000));
    const query = new URLSearchParams({ expires, signature: this.#signature(path, expires) });
    return `${this.url(path)}?${query.toString()}`;
  }

  url(path: string): string {
    return `${this.#publicUrl}${path}`;
  }

  /** Throws ACCESS_DENIED if the signature is invalid or has expired. */
  verify(path: string, { expires, signature }: { expires?: unknown; signature?: unknown }): void {
    if (typeof expires !== 'string' || typeof signature !== 'string') throw denied('is not valid');
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#signature(path, expires));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw denied('is not valid');
    }
    if (Date.now() >= Number(expires) * 1000) throw denied('has expired');
  }

  #signature(path: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${path}\n${expires}`).digest('base64url');
  }
}

function denied(why: string): AppError {
  return new AppError('ACCESS_DENIED', { publicMessage: `The link ${why}.` });
}
