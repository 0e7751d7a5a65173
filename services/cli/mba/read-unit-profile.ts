import type { AgentRecord } from '../../registry/agent-record.ts';
import { profileRows, unitOf } from './profile-columns.ts';
import { readTables, type Table } from './read-tables.ts';
import { emptyRecord, unitRecords } from './unit-profile.ts';
import { isExcludedStatus } from './unit-status.ts';

export interface UnitProfile {
  /** The file that is recorded as the source of the metadata. */
  readonly path: string;
  readonly records: readonly AgentRecord[];
  /** Units whose results the FCC leaves out. */
  readonly excludedUnits: ReadonlySet<number>;
}

interface ProfileFiles {
  readonly profile?: string | undefined;
  /** The FCC's list of excluded units: `excluded-units-sept2018.xlsx`. */
  readonly excluded?: string | undefined;
}

/** Reads the profile and the list of excluded units, each CSV or XLSX; undefined if neither is given. */
export async function readUnitProfile(files: ProfileFiles): Promise<UnitProfile | undefined> {
  const path = files.profile ?? files.excluded;
  if (path === undefined) return undefined;
  const tables = files.profile === undefined ? [] : await readFile(files.profile, 'a unit profile');
  const listed = [
    ...(files.excluded === undefined ? [] : await readExcludedUnits(files.excluded)),
    // A workbook may have the list as another sheet.
    ...tables.filter(({ sheet }) => /exclu|remove/i.test(sheet ?? '')).flatMap(unitsOf),
  ];
  const records = recordsOf(tables, new Set(listed), path);
  const excluded = records.filter(({ custom }) => isExcludedStatus(custom.status));
  return { path, records, excludedUnits: new Set(excluded.flatMap(({ unitId }) => unitId ?? [])) };
}

function recordsOf(
  tables: readonly Table[],
  listed: ReadonlySet<number>,
  path: string,
): readonly AgentRecord[] {
  try {
    const known = tables.length === 0 ? [] : unitRecords(tables, listed);
    const unitIds = new Set(known.map(({ unitId }) => unitId));
    // Excluded units may be missing from the profile.
    const others = [...listed].filter((unitId) => !unitIds.has(unitId));
    const custom = { status: 'excluded' };
    return [...known, ...others.map((unitId) => ({ ...emptyRecord, unitId, custom }))];
  } catch (error) {
    throw new Error(`${path} cannot be read as a unit profile`, { cause: error });
  }
}

async function readExcludedUnits(path: string): Promise<readonly number[]> {
  const tables = await readFile(path, 'a list of excluded units');
  const units = tables.flatMap(unitsOf);
  if (units.length > 0) return units;
  const sheets = tables.flatMap(({ sheet }) => sheet ?? []);
  const where = sheets.length === 0 ? '' : ` in its sheets ${sheets.join(', ')}`;
  throw new Error(`${path} has no column of unit ids, such as unit_id,${where} or no units`);
}

function unitsOf(table: Table): readonly number[] {
  return profileRows(table).flatMap((row) => unitOf(row) ?? []);
}

async function readFile(path: string, what: string): Promise<readonly Table[]> {
  try {
    return await readTables(path);
  } catch (error) {
    throw new Error(`${path} cannot be read as ${what}`, { cause: error });
  }
}
