import type { Caller } from '../../shared/auth/caller.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { QueryCost } from '../execution/query-request.ts';
import type { ExportFormat } from './export-format.ts';
import type { ExportDestination, ExportKind } from './export-record.ts';

/** A validated and compiled export request. */
export interface ExportJob {
  readonly caller: Caller;
  readonly route: string;
  readonly kind: ExportKind;
  readonly destination: ExportDestination;
  readonly format: ExportFormat;
  /** The request body, unchanged. */
  readonly request: unknown;
  readonly query: CompiledQuery;
  /** The metadata version that was published before the query. */
  readonly metadataVersion: number;
  /** Whether the file has one row per stored result, so that the number of rows can be estimated. */
  readonly isRowPerResult: boolean;
  readonly cost: QueryCost;
}
