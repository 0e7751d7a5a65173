import type { Scope } from './scopes.ts';

export type ApiInterface = 'data' | 'metadata';

/** The authenticated caller. A request can read and change only data of this organisation. */
export interface Caller {
  readonly tokenId: number;
  readonly organisationId: number;
  readonly organisationName: string;
  /** What the token allows. */
  readonly scopes: readonly Scope[];
  /** The privacy floor: the least number of agents of a point. 0: none. */
  readonly minAgents: number;
}
