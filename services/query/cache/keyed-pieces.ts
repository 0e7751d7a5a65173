import { compileMetricQuery, type CompileOptions } from '../compiler/compile-metric-query.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { utcDays } from '../compiler/conditions.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import type { AnswerRow } from './answer-row.ts';
import { contentKey } from './content-key.ts';
import { type DataVersions, versionOf } from './data-versions.ts';
import { isSameBefore, type MetadataEffects } from './metadata-effects.ts';
import { type Piece, planPieces } from './plan-pieces.ts';
import type { ResultVersions } from './result-versions.ts';
import type { StoredPiece } from './stored-answers.ts';

/** An answer whose pieces may be stored. */
export interface StorableAnswer {
  readonly query: AggregateMetricQuery;
  readonly options: CompileOptions;
  readonly compiled: CompiledQuery;
  readonly versions: ResultVersions;
  readonly metadataVersion: number;
  readonly now: Date;
}

/** Identifies an answer, except its range. */
export type Question = Pick<CompiledQuery, 'sql' | 'params' | 'series'>;

export interface PlannedPiece extends Piece {
  readonly key: string;
  /** The UTC days of the results that it is computed from, both included. */
  readonly fromDay: string;
  readonly toDay: string;
}

export interface KeyedPiece extends PlannedPiece {
  /** Of the results that it is computed from. */
  readonly dataVersion: bigint;
  readonly metadataVersion: number;
}

export function questionOf({ query, options }: StorableAnswer): Question {
  const { sql, params, series } = compileMetricQuery({ ...query, times: [anyRange] }, options);
  return { sql, params, series };
}

/** The pieces of an answer. The same request for another range has pieces with the same keys. */
export function plannedPieces(
  { sql, params, series }: Question,
  { query, now }: StorableAnswer,
): readonly PlannedPiece[] {
  return planPieces(query, now).map((piece) => ({
    ...piece,
    ...utcDays(piece.times),
    key: contentKey([sql, params, series, piece.times]),
  }));
}

export function versionedPieces(
  pieces: readonly PlannedPiece[],
  data: DataVersions,
  metadataVersion: number,
): readonly KeyedPiece[] {
  return pieces.map((piece) => ({
    ...piece,
    dataVersion: versionOf(data, piece.fromDay, piece.toDay),
    metadataVersion,
  }));
}

const dayMs = 86_400_000;

/** Stands for the range in the part of the key that all pieces share. */
const anyRange = {
  from: { kind: 'local', clock: '2000-01-01 00:00:00' },
  to: { kind: 'local', clock: '2000-01-01 00:00:00' },
} as const;

/** The pieces that are stored as they would be computed now. */
export function currentPieces(
  found: readonly StoredPiece[],
  effects: MetadataEffects,
  pieces: readonly KeyedPiece[],
): readonly StoredPiece[] {
  return pieces.flatMap(({ key, dataVersion, metadataVersion, toDay }) => {
    // All results of the piece are before this moment.
    const end = new Date(Date.parse(toDay) + dayMs);
    const isCurrent = (one: StoredPiece) =>
      one.key === key &&
      one.dataVersion === dataVersion &&
      isSameBefore(end, effects, one.metadataVersion, metadataVersion);
    return found.find(isCurrent) ?? [];
  });
}

/** The rows of each piece, by its key. */
export function rowsByPiece(
  rows: readonly AnswerRow[],
  pieces: readonly KeyedPiece[],
): ReadonlyMap<string, readonly AnswerRow[]> {
  const byKey = new Map<string, AnswerRow[]>(pieces.map(({ key }) => [key, []]));
  const byDay = new Map<string, AnswerRow[]>();
  for (const row of rows) {
    const day = row.bucket.slice(0, 10);
    let sameDay = byDay.get(day);
    if (sameDay === undefined) {
      sameDay = byKey.get(pieceOf(day, pieces).key) ?? [];
      byDay.set(day, sameDay);
    }
    sameDay.push(row);
  }
  return byKey;
}

function pieceOf(day: string, pieces: readonly KeyedPiece[]): KeyedPiece {
  const found =
    pieces.find(({ buckets }) => buckets && day >= buckets.from && day < buckets.before) ??
    pieces.find(({ buckets }) => buckets === undefined);
  if (found === undefined) throw new Error(`no piece has the bucket ${day}`);
  return found;
}
