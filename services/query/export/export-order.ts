import type { Caller } from '../../shared/auth/caller.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { QueryCost } from '../execution/query-request.ts';
import type { ExportFormat } from './export-format.ts';
import type { ExportDestination, ExportKind } from './export-record.ts';

/** An export that somebody has asked for, checked and compiled. */
export interface ExportOrder {
  readonly caller: Caller;
  readonly route: string;
  readonly kind: ExportKind;
  readonly destination: ExportDestination;
  readonly format: ExportFormat;
  /** The body as it came. */
  readonly request: unknown;
  readonly query: CompiledQuery;
  /** Whether a row of the file is a stored result, so that their number can be told beforehand. */
  readonly isRowByRow: boolean;
  readonly cost: QueryCost;
}
