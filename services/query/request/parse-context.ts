/** Who asks, when, and within which limits: all that a request's meaning depends on beside itself. */
export interface ParseContext {
  readonly organisationId: number;
  /** Keys of the metrics the caller may see. */
  readonly metrics: readonly string[] | 'all';
  /** Keys of the tests the caller may see. */
  readonly tests: readonly string[] | 'all';
  /** The organisation's own metadata keys. */
  readonly customKeys: readonly string[];
  readonly now: Date;
  readonly limits: RequestLimits;
}

interface RequestLimits {
  readonly maxRangeDays: number;
  /** Of all filters of a request together. */
  readonly maxFilterValues: number;
  readonly maxSplits: number;
}
