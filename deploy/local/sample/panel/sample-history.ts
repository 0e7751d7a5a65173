/** The metadata of a household in a period. */
export interface HouseholdFacts {
  readonly isp: string | null;
  readonly packageName: string | null;
  readonly timezone: string | null;
  readonly custom: Readonly<Record<string, string | number>>;
}

/** A change of a household, with its valid time and recorded time. */
export interface HouseholdChange {
  readonly validFrom: Date;
  readonly recordedAt: Date;
  readonly facts: Partial<HouseholdFacts>;
}

/** A row of agent_metadata. Changes are numbered from 1; 0 is the initial import. */
export interface HistoryRow {
  readonly facts: HouseholdFacts;
  readonly validFrom: Date;
  /** null: still valid. */
  readonly validTo: Date | null;
  readonly recordedAt: Date;
  readonly recordedBy: number;
  /** Of the change that set the values of a period that a later one shortened; else null. */
  readonly firstRecordedAt: Date | null;
  readonly firstRecordedBy: number | null;
  readonly supersededAt: Date | null;
  readonly supersededBy: number | null;
}

/**
 * All rows of a household's history after its changes. Each change supersedes the periods it affects,
 * which stay, and adds the corrected periods.
 */
export function sampleHistory(
  initial: HouseholdFacts,
  importedAt: Date,
  changes: readonly HouseholdChange[],
): readonly HistoryRow[] {
  const imported: HistoryRow = {
    facts: initial,
    validFrom: importedAt,
    validTo: null,
    recordedAt: importedAt,
    recordedBy: 0,
    firstRecordedAt: null,
    firstRecordedBy: null,
    supersededAt: null,
    supersededBy: null,
  };
  return changes.reduce<readonly HistoryRow[]>(
    (rows, change, i) => rows.flatMap((row) => applied(row, change, i + 1)),
    [imported],
  );
}

function applied(row: HistoryRow, change: HouseholdChange, number: number): HistoryRow[] {
  const { validFrom: changedFrom, recordedAt } = change;
  const untouched = row.validTo !== null && row.validTo <= changedFrom;
  if (row.supersededAt !== null || untouched) return [row];

  const recorded = { ...row, recordedAt, recordedBy: number };
  const changed: HistoryRow = {
    ...recorded,
    facts: { ...row.facts, ...change.facts },
    firstRecordedAt: null,
    firstRecordedBy: null,
  };
  const shortened: HistoryRow = {
    ...recorded,
    validTo: changedFrom,
    firstRecordedAt: row.firstRecordedAt ?? row.recordedAt,
    firstRecordedBy: row.firstRecordedBy ?? row.recordedBy,
  };
  const superseded: HistoryRow = { ...row, supersededAt: recordedAt, supersededBy: number };
  if (row.validFrom >= changedFrom) return [superseded, changed];
  return [superseded, shortened, { ...changed, validFrom: changedFrom }];
}
