import type { Table } from '../sources/read-tables.ts';

/** A row of a unit profile or of a list of units, by the names of `titles`. */
export type ProfileRow = Readonly<Record<string, string>>;

/** The rows of a table after its header. */
export function profileRows(table: Table): readonly ProfileRow[] {
  return profileTable(table).rows;
}

/** A table after its header, which may follow title lines. Without rows if it has no column of unit ids. */
export function profileTable({ rows }: Table) {
  const headerAt = rows
    .slice(0, titleLines)
    .findIndex((row) => row.map(columnName).includes('unit'));
  const titles = rows[headerAt] ?? [];
  const names = titles.map(columnName);
  const cells = rows.slice(headerAt === -1 ? rows.length : headerAt + 1);
  return {
    titles,
    cells,
    // The same cells by name.
    rows: cells.map((row): ProfileRow => {
      return Object.fromEntries(names.map((name, i) => [name, row[i]?.trim() ?? '']));
    }),
  };
}

/** The unit of a row; null if it is not a number of up to 15 digits. */
export function unitOf({ unit = '' }: ProfileRow): number | null {
  return /^\d{1,15}$/.test(unit) ? Number(unit) : null;
}

/** Lines in which the header is searched. */
const titleLines = 10;

/** `Unit ID`, `unit_id` and `UNITID` are one column. */
function columnName(title: string): string {
  const plain = title.toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.entries(titles).find(([, known]) => known.includes(plain))?.[0] ?? plain;
}

const titles: Readonly<Record<string, readonly string[]>> = {
  unit: ['unitid', 'unit', 'skunitid', 'whiteboxid'],
  isp: ['isp', 'ispname', 'provider', 'operator'],
  technology: ['technology', 'tech'],
  state: ['state', 'statecode'],
  census: ['census', 'censusregion', 'region'],
  offset: ['timezoneoffset', 'tzoffset', 'utcoffset', 'timezone'],
  dstOffset: ['timezoneoffsetdst', 'tzoffsetdst', 'utcoffsetdst'],
  download: ['download', 'downloadspeed', 'advertiseddownload', 'advertiseddownloadspeed', 'down'],
  upload: ['upload', 'uploadspeed', 'advertisedupload', 'advertiseduploadspeed', 'up'],
  model: ['whiteboxmodel', 'wbmodel', 'model', 'unitmodel', 'hardware'],
  status: ['status', 'unitstatus'],
  excluded: ['exclude', 'excluded', 'isexcluded', 'remove', 'removed'],
  exclusionReason: ['exclusionreason', 'reasonforexclusion', 'reasonexcluded'],
};
