import type { Random } from '../property/random.ts';
import type { SoakOrganisation } from './soak-organisation.ts';

/** One kind of request in the mixed load. */
export interface RequestKind {
  readonly name: string;
  /** How often it is sent, compared with the others. */
  readonly weight: number;
  /** Throws on any response that is not expected. */
  readonly run: (organisation: SoakOrganisation, random: Random) => Promise<void>;
}

interface Response {
  readonly status: number;
  readonly body?: unknown;
}

export function expectStatus({ status, body }: Response, ...expected: readonly number[]): void {
  if (expected.includes(status)) return;
  const text = JSON.stringify(body ?? '').slice(0, 300);
  throw new Error(`status ${status} instead of ${expected.join(' or ')}: ${text}`);
}
