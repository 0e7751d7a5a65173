import { excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import type { AgentRecord } from '../../registry/agent-record.ts';
import { type ExclusionList, exclusionList } from './exclusion-list.ts';
import { readTables, type Table } from './read-tables.ts';
import { type ExcludedUnits, emptyRecord, excludedMetricsOf, unitRecords } from './unit-profile.ts';
import { isExcludedStatus } from './unit-status.ts';

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
  throw new Error(`${path} has no column of unit ids, such as unit_id,${where} or no units`);
}

async function readFile(path: string, what: string): Promise<readonly Table[]> {
  try {
    return await readTables(path);
  } catch (error) {
    throw new Error(`${path} cannot be read as ${what}`, { cause: error });
  }
}
