import { escapedText } from '../results/escape-formulas.ts';
import type { QueryResponse } from '../results/query-response.ts';
import { type Cell, tableColumns } from '../results/table-columns.ts';
import { isShown } from '../series/series.ts';
import type { DisplayOptions } from '../state/view-state.ts';

/** The table of the series that a figure shows, as CSV for spreadsheets. */
export function drawnCsv(response: QueryResponse, display: DisplayOptions): string {
  const columns = tableColumns(response);
  const points = response.series
    .filter((one) => response.query.view === 'map' || isShown(one, display))
    .flatMap((one) => one.points);
  const lines = [
    columns.map(({ name }) => cellText(name)),
    ...points.map((point) => columns.map(({ of }) => cellText(of(point)))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  return `"${escapedText(cell).replaceAll('"', '""')}"`;
}
