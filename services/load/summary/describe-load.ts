import { describeMultiline } from '../../results/rows/multiline-fields.ts';
import type { FileOutcome, LoadSummary } from './load-summary.ts';

/**
 * A line such as `5 rows read: 2 rows loaded, 1 already there, 2 rejected (day.csv.rejects.csv), 2 agents
 * registered`, and a line for each remark.
 */
export function describeLoad(
  summary: LoadSummary,
  { isDryRun, isOfRelease }: { readonly isDryRun: boolean; readonly isOfRelease: boolean },
): readonly string[] {
  const { loaded, alreadyThere, rejected, rejectFile, agentsRegistered } = summary;
  const duplicates = summary.duplicates.identical + summary.duplicates.different;
  const registered = isDryRun ? 'agents would be registered' : 'agents registered';
  const counts = [
    `${loaded} rows ${isDryRun ? 'would be loaded' : 'loaded'}`,
    ...counted(alreadyThere, 'already there'),
    ...counted(duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'),
    ...counted(rejected, `rejected${rejectFile === null ? '' : ` (${rejectFile})`}`),
    ...counted(summary.excluded, 'of excluded units left out'),
    ...counted(agentsRegistered, registered),
  ];
  return [
    `${summary.rowsRead} rows read: ${counts.join(', ')}`,
    ...details(summary, isDryRun, isOfRelease),
  ];
}

function details(summary: LoadSummary, isDryRun: boolean, isOfRelease: boolean): readonly string[] {
  const { duplicates, rounded, timesWithoutTimeOfDay, agentsWithout, missingColumns } = summary;
  return [
    ...formatNotes(summary),
    // Known for the files of a release: printed only for a file of your own.
    ...(missingColumns.length === 0 || isOfRelease
      ? []
      : [`missing columns get defaults: ${missingColumns.join(', ')}`]),
    ...summary.rejectedBecause.map(
      ({ rows, reason, firstLine, firstValue }) =>
        `rejected ${rows}: ${reason}; first in line ${firstLine}${shown(firstValue)}`,
    ),
    ...counted(
      duplicates.different,
      'duplicates differ from the row that was kept: the same agent, time and other key columns, but other values',
    ),
    ...differences(summary, isDryRun),
    ...roundedNotes(rounded),
    ...multilineNote(summary),
    ...counted(timesWithoutTimeOfDay, 'dates without a time of day were read as 00:00 UTC'),
    ...counted(agentsWithout.timezone, withoutTimezone(agentsWithout)),
    ...counted(agentsWithout.package, 'agents have no package'),
  ];
}

function roundedNotes(rounded: LoadSummary['rounded']): readonly string[] {
  const counts = Object.entries(rounded);
  const note = (count: number, where: string) =>
    `${count} values of ${where} were rounded to whole numbers`;
  // Nearly all values of a published panel are: Mbit/s with ten decimals become bytes per second.
  if (counts.length > shownRounded) {
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    return [note(total, `${counts.length} columns`)];
  }
  return counts.map(([column, count]) => note(count, column));
}

const shownRounded = 5;

/** Such as `line 2: bytes_sec is 12000000, stored is 11500000`, after their number. */
function differences({ differing }: LoadSummary, isDryRun: boolean): readonly string[] {
  if (differing.rows === 0) return [];
  const kept =
    'rows differ from stored results with the same key, which were kept (--replace replaces them)';
  const replaced = isDryRun ? 'rows would replace stored results' : 'rows replaced stored results';
  return [
    `${differing.rows} ${differing.replaced ? `${replaced} that had other values` : kept}; first:`,
    ...differing.first.map(({ line, values }) => {
      const changes = values.map(
        ({ column, stored, inFile }) => `${column} is ${cell(inFile)}, stored is ${cell(stored)}`,
      );
      return `  line ${line}: ${changes.join('; ')}`;
    }),
  ];
}

function cell(value: string): string {
  const text = value.slice(0, shownCharacters);
  return /^-?[\d.]+$/.test(text) ? text : JSON.stringify(text);
}

const shownCharacters = 100;

function multilineNote({ multiline }: Pick<LoadSummary, 'multiline'>): readonly string[] {
  if (multiline === null) return [];
  const { rows, first } = multiline;
  return [
    `${rows} rows have a quoted field over several lines, perhaps because of a stray quote; ` +
      `first: ${describeMultiline(first)}${shown(first.text)}`,
  ];
}

/** `agents have no time zone: their local time is UTC; first: 900009, 900010` */
function withoutTimezone({
  firstWithoutTimezone,
}: Pick<LoadSummary['agentsWithout'], 'firstWithoutTimezone'>): string {
  const first =
    firstWithoutTimezone.length === 0 ? '' : `; first: ${firstWithoutTimezone.join(', ')}`;
  return `agents have no time zone: their local time is UTC${first}`;
}

function formatNotes({
  encoding,
  separator,
  lineEnds,
  hasHeader,
  ignoredColumns,
}: LoadSummary): readonly string[] {
  const notes = [
    ...(hasHeader ? [] : ['no header: columns in the order of the FCC’s data dictionary']),
    ...(encoding === 'UTF-8' ? [] : [`encoding ${encoding}`]),
    ...(separator === 'comma' ? [] : [`separator ${separator}`]),
    ...(lineEnds === 'CR' ? ['CR line ends'] : []),
  ];
  return [
    ...(notes.length === 0 ? [] : [`read with ${notes.join(', ')}`]),
    ...(ignoredColumns.length === 0 ? [] : [`ignored columns: ${ignoredColumns.join(', ')}`]),
  ];
}

function counted(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

function shown(value: string): string {
  return value === '' ? '' : `: ${JSON.stringify(value)}`;
}

/** Why a file added nothing, although it should have. */
export function problemOf(outcome: FileOutcome): string | undefined {
  const { file } = outcome;
  if (outcome.status === 'unsupported') return undefined;
  if (outcome.status !== 'loaded') return `${file}: ${outcome.reason}`;
  const { rowsRead, rejected, rejectedBecause } = outcome;
  const [first] = rejectedBecause;
  if (rowsRead === 0 || rejected < rowsRead || first === undefined) return undefined;
  const { firstLine, column, firstValue, reason } = first;
  const place = `line ${firstLine}${column === '' ? '' : `, column ${column}`}`;
  const value = firstValue === '' ? '' : `, not ${JSON.stringify(firstValue)}`;
  return `${file}: all ${rowsRead} rows were rejected; ${place}: ${reason}${value}`;
}
