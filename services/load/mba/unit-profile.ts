import { excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import { type AgentRecord, emptyRecord } from '../../registry/agents/agent-record.ts';
import { profileRows, type ProfileRow, unitOf } from './profile-columns.ts';
import { csvTable, type Table } from '../sources/read-tables.ts';
import { usTimezone } from './us-timezone.ts';

/** Parses an FCC unit profile of any year, from the text of a CSV file. */
export function parseUnitProfile(text: string): readonly AgentRecord[] {
  return unitRecords([csvTable(text)], { units: new Set(), metrics: new Map() });
}

/**
 * The units of a profile: `Unit ID` or `unit_id`, `WB Model` or `Whitebox Model`, offsets such as -6 or `-6 hr`,
 * speeds such as 100 or `[0.5 - 1.0]`, spaces after names.
 */
export function unitRecords(
  tables: readonly Table[],
  excluded: ExcludedUnits,
): readonly AgentRecord[] {
  const rows = rowsOfUnits(tables);
  // A unit listed twice changed during the month; its last row has the state at the end.
  const records = rows
    .map((row) => recordOf(row, excluded))
    .filter(({ unitId }) => unitId !== null);
  return [...new Map(records.map((record) => [record.unitId, record])).values()];
}

/** The rows of the first table with the required columns. */
function rowsOfUnits(tables: readonly Table[]): readonly ProfileRow[] {
  const candidates = tables.map((table) => {
    const rows = profileRows(table);
    return { table, rows, missing: required.filter((name) => !(name in (rows[0] ?? {}))) };
  });
  const complete = candidates.find(({ missing }) => missing.length === 0);
  if (complete !== undefined) return complete.rows;
  if (tables.every(({ rows }) => rows.length < 2)) throw new Error('The unit profile is empty');
  const problems = candidates.map(({ table: { sheet }, missing }) => {
    const where = sheet === null ? 'The unit profile' : `Sheet "${sheet}"`;
    return `${where} has no column for ${missing.join(', ')}`;
  });
  throw new Error(problems.join('; '));
}

const required = ['unit', 'isp', 'download', 'upload'] as const;

function recordOf(row: ProfileRow, excluded: ExcludedUnits): AgentRecord {
  const text = (name: string) => {
    const cell = row[name] ?? '';
    return isMark(cell) ? '' : cell;
  };
  const unitId = unitOf(row);
  const state = text('state').toUpperCase();
  const download = speed(text('download'));
  const upload = speed(text('upload'));
  // The first colon of `Comcast:100/10` ends the ISP, so an ISP cannot contain one.
  const isp = text('isp').replaceAll(':', ' ') || null;
  return {
    ...emptyRecord,
    kind: 'whitebox',
    unitId,
    base: text('model') || null,
    country: 'US',
    isp,
    packageName: isp === null || !download || !upload ? null : `${download.name}/${upload.name}`,
    timezone: usTimezone(state, hours(text('offset')), hours(text('dstOffset'))),
    custom: {
      technology: text('technology') || null,
      state: state || null,
      census_region: text('census') || null,
      advertised_download_mbps: download?.mbps ?? null,
      advertised_upload_mbps: upload?.mbps ?? null,
      status: unitStatus(row, unitId !== null && excluded.units.has(unitId)),
      [excludedMetricsKey]: excludedMetricsOf(unitId, excluded),
    },
    statesPackage: true,
    statesTimezone: true,
  };
}

/** The units to mark as excluded, with all their results or from some metrics. */
export interface ExcludedUnits {
  readonly units: ReadonlySet<number>;
  /** The keys of the metrics. */
  readonly metrics: ReadonlyMap<number, readonly string[]>;
}

/** The value of the custom field; null: none. */
export function excludedMetricsOf(unitId: number | null, { metrics }: ExcludedUnits) {
  const keys = unitId === null ? undefined : metrics.get(unitId);
  return keys?.join(',') ?? null;
}

/** `100`; `0.384`; `[0.5 - 1.0]`, an "up to" offer of the upper bound; `[0.384]`. */
function speed(text: string): { readonly name: string; readonly mbps: number } | undefined {
  const bounds = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const mbps = bounds.at(-1);
  return mbps === undefined ? undefined : { name: bounds.join('-'), mbps };
}

/** `-6`, `-6 hr` and `-6.0` are -6. */
function hours(text: string): number | undefined {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? undefined : value;
}

/**
 * The custom field `status` of a unit. `REMOVE`: any column of the profile has this mark. `excluded`: a column has this
 * mark, or the unit is in the list of excluded units. Otherwise the profile's column `Status`, or `included` without one,
 * to end the exclusion of an earlier release.
 */
function unitStatus(row: ProfileRow, isListed: boolean): string {
  const { excluded = '', exclusionReason = '', status = '' } = row;
  // `Removed: moved house` has that meaning in the column of the status only.
  const mark = [...Object.values(row).filter(isMark), status].find((cell) =>
    /^(remov|exclud)/i.test(cell),
  );
  if (mark !== undefined) return /^remov/i.test(mark) ? 'REMOVE' : 'excluded';
  if (isListed || /^(yes|y|true|1|x)$/i.test(excluded) || exclusionReason !== '') return 'excluded';
  return status === '' ? 'included' : status;
}

/** Whether the FCC leaves out the results of units with this status. */
export function isExcludedStatus(status: unknown): boolean {
  return status === 'REMOVE' || status === 'excluded';
}

/** A cell that marks a unit, and has no other meaning: `REMOVE` in the column of the ISP. */
function isMark(cell: string): boolean {
  return /^(removed?|excluded?)$/i.test(cell);
}
