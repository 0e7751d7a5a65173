export type ApiInterface = 'data' | 'metadata';

/** Who is asking: everything a request may see or change is within this organisation. */
export interface Caller {
  readonly tokenId: number;
  readonly organisationId: number;
  readonly organisationName: string;
}
