import { excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import { type AgentRecord, emptyRecord } from '../../registry/agents/agent-record.ts';
import { type ExclusionList, exclusionList, metricsByPrefix } from './exclusion-list.ts';
import { readTables, type Table } from '../sources/read-tables.ts';
import {
  excludedMetricsOf,
  type ExcludedUnits,
  isExcludedStatus,
  unitRecords,
} from './unit-profile.ts';

export interface UnitProfile {
  /** The file that is recorded as the source of the metadata. */
  readonly path: string;
  readonly records: readonly AgentRecord[];
  /** Units whose results the FCC leaves out. */
  readonly excludedUnits: ReadonlySet<number>;
  /** Marks of the lists that exclude nothing, by title of their column. */
  readonly unknownMarks: ReadonlyMap<string, number>;
}

interface ProfileFiles {
  readonly profile?: string | undefined;
  /** The FCC's list of excluded units: `excluded-units-sept2018.xlsx`. */
  readonly excluded?: string | undefined;
  /** Units are not excluded from metrics. */
  readonly 'include-excluded'?: boolean;
}

/** Reads the profile and the list of excluded units, each CSV or XLSX; undefined if neither is given. */
export async function readUnitProfile(files: ProfileFiles): Promise<UnitProfile | undefined> {
  const path = files.profile ?? files.excluded;
  if (path === undefined) return undefined;
  const tables = files.profile === undefined ? [] : await readFile(files.profile, 'a unit profile');
  const lists = [
    ...(files.excluded === undefined ? [] : await readExclusionLists(files.excluded)),
    // A workbook may have the list as another sheet.
    ...tables.filter(({ sheet }) => /exclu|remove/i.test(sheet ?? '')).map(exclusionList),
  ];
  const listed = {
    units: new Set(lists.flatMap(({ units, isPerMetric }) => (isPerMetric ? [] : units))),
    metrics: new Map(
      files['include-excluded'] === true ? [] : lists.flatMap((list) => [...list.metrics]),
    ),
  };
  const records = recordsOf(tables, listed, path);
  const excluded = records.filter(({ custom }) => isExcludedStatus(custom.status));
  return {
    path,
    records,
    excludedUnits: new Set(excluded.flatMap(({ unitId }) => unitId ?? [])),
    unknownMarks: new Map(lists.flatMap(({ unknownMarks }) => [...unknownMarks])),
  };
}

function recordsOf(
  tables: readonly Table[],
  listed: ExcludedUnits,
  path: string,
): readonly AgentRecord[] {
  try {
    const known = tables.length === 0 ? [] : unitRecords(tables, listed);
    const unitIds = new Set(known.map(({ unitId }) => unitId));
    // Excluded units may be missing from the profile.
    const others = [...new Set([...listed.units, ...listed.metrics.keys()])]
      .filter((unitId) => !unitIds.has(unitId))
      .map((unitId) => ({
        ...emptyRecord,
        kind: 'whitebox',
        unitId,
        custom: {
          ...(listed.units.has(unitId) ? { status: 'excluded' } : {}),
          [excludedMetricsKey]: excludedMetricsOf(unitId, listed),
        },
      }));
    return [...known, ...others];
  } catch (error) {
    throw new Error(`${path} cannot be read as a unit profile`, { cause: error });
  }
}

async function readExclusionLists(path: string): Promise<readonly ExclusionList[]> {
  const tables = await readFile(path, 'a list of excluded units');
  const lists = tables.map(exclusionList);
  if (lists.some(({ units }) => units.length > 0)) return lists;
  const sheets = tables.flatMap(({ sheet }) => sheet ?? []);
  const where = sheets.length === 0 ? '' : ` in its sheets ${sheets.join(', ')}`;
  throw new Error(`${path} has no units, or no column with unit ids such as unit_id${where}`);
}

async function readFile(path: string, what: string): Promise<readonly Table[]> {
  try {
    return await readTables(path);
  } catch (error) {
    throw new Error(`${path} cannot be read as ${what}`, { cause: error });
  }
}

/** Lines about units whose results are left out or have no local time, and about marks without a meaning. */
export function describeUnits({
  records,
  excludedUnits,
  unknownMarks,
}: UnitProfile): readonly string[] {
  const isExcluded = ({ unitId }: AgentRecord) => unitId !== null && excludedUnits.has(unitId);
  const withoutZone = records.filter((unit) => unit.timezone === null && !isExcluded(unit));
  return [
    ...listed(records.filter(isExcluded), 'are excluded by the FCC'),
    ...listed(
      records.filter(({ custom }) => (custom[excludedMetricsKey] ?? null) !== null),
      'are excluded from some metrics',
    ),
    ...[...unknownMarks].map(
      ([title, marks]) =>
        `${marks} marks in the column ${title} exclude nothing, because its metrics are unknown. ` +
        `Known columns begin with ${Object.keys(metricsByPrefix)
          .map((prefix) => `ISP_${prefix}`)
          .join(', ')}`,
    ),
    ...listed(withoutZone, 'have no usable time zone: their local time is UTC'),
  ];
}

function listed(units: readonly AgentRecord[], what: string): readonly string[] {
  if (units.length === 0) return [];
  const first = units.slice(0, shownUnits).map(({ unitId }) => unitId);
  const more = units.length > shownUnits ? ' …' : '';
  return [`${units.length} units ${what}: ${first.join(', ')}${more}`];
}

const shownUnits = 5;
