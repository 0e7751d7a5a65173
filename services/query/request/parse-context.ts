import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import type { Problems } from '../../shared/errors/problems.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { KnownAt } from './selection.ts';
import type { Json } from './request-body.ts';

/** Everything that parsing depends on besides the request body. */
export interface ParseContext {
  readonly organisationId: number;
  /** Keys of the metrics granted to the organisation. */
  readonly metrics: readonly string[] | 'all';
  /** Keys of the tests granted to the organisation. */
  readonly tests: readonly string[] | 'all';
  /** The caller's privacy floor; 0: none. */
  readonly minAgents: number;
  /** The organisation's own metadata keys. */
  readonly customKeys: readonly string[];
  /** Warnings that recent metadata changes may be missing. */
  readonly metadataWarnings: readonly Warning[];
  readonly now: Date;
  /** The metadata of the request's `knownAt`, if that is valid. */
  readonly knownAt?: KnownAt | undefined;
  /** That of `compare`, likewise. */
  readonly comparedKnownAt?: KnownAt;
  /** Of the custom keys that the request uses as numbers. */
  readonly numberRanges: NumberRanges;
  /** Names of the organisation's sets of agents, if the request filters by one. */
  readonly agentSets: readonly string[];
  /** The copy of the replicate weights of each custom key that has some, if the request uses them. */
  readonly replicateCopies: ReadonlyMap<string, string>;
  readonly limits: RequestLimits;
}

/** A request that is being parsed, and what is wrong with it so far. */
export interface Parsing extends ParseContext {
  readonly problems: Problems;
}

/** A request for metric data whose metric is known; null: it is not valid. */
export interface MetricScope extends Parsing {
  readonly request: Json;
  readonly metric: Metric | null;
  /** Null after reporting a problem. */
  readonly resolve: (name: unknown, path: string) => Field | null;
}

/** The numbers among the values of a custom key; a key without any is not in the map. */
export type NumberRanges = ReadonlyMap<string, { readonly lowest: number }>;

interface RequestLimits {
  readonly maxRangeDays: number;
  /** Over all filters of a request. */
  readonly maxFilterValues: number;
  readonly maxSplits: number;
}
