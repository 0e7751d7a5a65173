import type {
  ErrorResponse,
  MetricQuery,
  QueryClient,
  Warning,
} from '../../../openapi/client/index.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { printLine, printNote } from '../print.ts';
import { styleFor } from '../terminal/style.ts';
import { comparisonSentences } from './comparison-sentences.ts';
import { resultChart } from './result-chart.ts';
import type { Rows } from './result-rows.ts';
import { isComparison, missingColumns, resultTable } from './result-table.ts';

/** Prints the table or the chart. */
export async function printResult(
  client: QueryClient,
  request: MetricQuery,
  { rows, isCut }: Rows,
  { columns, isChart, isExplained }: PrintOptions,
): Promise<void> {
  const style = styleFor(process.stdout);
  const splits = request.splits ?? [];
  if (rows.length === 0) {
    if (!isExplained) printNote('No results match the request.');
    return;
  }
  const unknown = columns === undefined ? [] : missingColumns(rows, columns);
  if (unknown.length > 0) {
    throw new UsageError(
      `--columns: the result has no ${unknown.join(', ')}. It has: ${Object.keys(rows[0] ?? {}).join(', ')}`,
    );
  }
  printLine(style(await heading(client, request), 'bold'));
  printLine(
    isChart
      ? resultChart(rows, splits, terminalWidth(), style)
      : resultTable(rows, splits, columns, style),
  );
  const isCompared = isComparison(rows);
  // They count buckets, and those of the last series may be cut.
  if (isCompared && !isCut) printLine(['', ...comparisonSentences(rows, splits)].join('\n'));
  if (isCut) {
    printNote(
      `Only the first ${rows.length} rows are shown${isCompared ? ', without sentences' : ''}: --format csv has all of them.`,
    );
  }
}

interface PrintOptions {
  readonly columns: readonly string[] | undefined;
  readonly isChart: boolean;
  /** Whether a warning explains why there are no results. */
  readonly isExplained: boolean;
}

function terminalWidth(): number {
  // Undefined if standard output is not a terminal.
  const columns = process.stdout.columns as number | undefined;
  return columns ?? 80;
}

/** `Download speed, mbps`; the unit of a relative value is percent. */
async function heading(
  client: QueryClient,
  { metric, relativeTo, method }: MetricQuery,
): Promise<string> {
  const { data } = await client.GET('/metrics');
  const found = data?.data.find(({ key, aliases }) => key === metric || aliases.includes(metric));
  if (found === undefined) return metric;
  const isRelative = (relativeTo ?? method ?? undefined) !== undefined;
  return isRelative ? found.name : `${found.name}, ${found.unit}`;
}

/** Returns the exit code. */
export function printError(
  { code, message, errors = {} }: ErrorResponse,
  inWords: InWords,
): number {
  const style = styleFor(process.stderr);
  const fields = Object.entries(errors).map(
    ([path, texts]) => `  ${inWords(path)}: ${texts.join(' ')}`,
  );
  const first = fields.length > 0 ? 'The request is invalid:' : `${code}: ${message}`;
  printNote([style(first, 'red'), ...fields].join('\n'));
  return fields.length > 0 ? 2 : 1;
}

type InWords = (path: string) => string;

export function printWarnings(warnings: readonly Warning[], inWords: InWords): void {
  const style = styleFor(process.stderr);
  for (const { field, message } of warnings) {
    const place = field === undefined ? '' : `${inWords(field)}: `;
    printNote(`${style('warning:', 'yellow')} ${place}${message}`);
  }
}
