/** Everything that parsing depends on besides the request body. */
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
  /** Over all filters of a request. */
  readonly maxFilterValues: number;
  readonly maxSplits: number;
}
