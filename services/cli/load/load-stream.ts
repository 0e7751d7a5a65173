import { HeaderError } from '../../results/columns/file-plan.ts';
import { encodingTitle } from './input/text-encoding.ts';
import type { LoadTarget } from './load-target.ts';
import type { MappedRows } from './mapping/mapped-rows.ts';
import type { LoadInput } from './mapping/mapped-text.ts';
import { openFile, type OpenFile } from './open-file.ts';
import { separatorNames } from '../../results/rows/dialect.ts';
import { type Block, readBlocks } from '../../results/rows/read-blocks.ts';
import type { RejectedRow, ScannedRows } from '../../results/rows/scanned-rows.ts';
import { setNewUnits, unregisteredRows } from '../../results/agents/unregistered-rows.ts';
import { agentsWithoutMetadata } from './store/agents-without-metadata.ts';
import { countStoredRows } from './store/count-stored-rows.ts';
import { recordReplacement } from '../../results/store/record-replacement.ts';
import { rowsToInsert } from '../../results/store/rows-to-insert.ts';
import { operatorName } from '../with-stores.ts';
import { InvalidRowError } from './summary/invalid-row-error.ts';
import { accountFor, type LoadSummary } from './summary/load-summary.ts';
import { RejectCounts } from './summary/reject-counts.ts';
import type { RejectFile } from './summary/reject-file.ts';

/** Loads one CSV file. Reads and checks the next block while ClickHouse inserts the current one. */
export async function loadStream(
  { content, format, mapped }: LoadInput,
  target: LoadTarget,
  rejects: RejectFile,
): Promise<LoadSummary> {
  const counts = new RejectCounts();
  let file: OpenFile | undefined;
  let excluded = 0;
  let sending: Promise<void> = Promise.resolve();
  try {
    await readBlocks(content, mapped ? mappedBlockBytes : blockBytes, async (block) => {
      if (format.isEmpty) throw new HeaderError('the file is empty (0 bytes)');
      let headerEnd = 0;
      if (file === undefined) {
        headerEnd = endOfHeader(block);
        const header = block.bytes.toString('utf8', 0, headerEnd);
        file = await openFile(header, target, mapped?.firstLine);
        if (!file.hasHeader) headerEnd = byteOrderMarkLength(block);
      }
      const body = block.bytes.subarray(headerEnd);
      const rows = file.scanner.scan(body, block.length - headerEnd, block.isLast);
      await file.agents.forgetErased();
      await registerAgents(file, body, rows, target);
      excluded += file.agents.countExcluded(rows);
      const invalid = rejectedRows(rows, body, file, target);
      const line = block.isLast ? Infinity : file.scanner.nextLine;
      rejectRows(withMapped(invalid, mapped, line), target, counts, rejects);
      const { agents, keys, sender } = file;
      const toInsert = rowsToInsert(body, rows, agents, keys);
      await sending;
      sending = sender.send(toInsert).then(() => target.onRows(toInsert.rowCount));
      // The next await throws the error; until then it must not be an unhandled rejection.
      sending.catch(() => undefined);
      return headerEnd + rows.consumedBytes;
    });
    await sending;
  } finally {
    await sending.catch(() => undefined);
    content.destroy();
    rejects.close();
    // Also after a failure: what was sent has replaced results.
    if (target.isReplacing && file !== undefined) await recordSent(file, target);
  }
  if (file === undefined) throw new HeaderError('the file is empty');
  if (counts.total === 0 && !target.isDryRun) rejects.remove();
  const summary = await summarise(file, { counts, excluded, mapped }, target);
  return {
    ...summary,
    rejectFile: counts.total === 0 ? null : rejects.path,
    encoding: encodingTitle(format.encoding),
    lineEnds: format.lineEnds,
  };
}

/** Measured: ClickHouse uses a third less CPU than with 16 MiB; 64 MiB gains nothing. Four blocks are in memory. */
const blockBytes = 32 * 1024 ** 2;

/** The rows of a block are also kept as they are in the file, which may be ten times larger. */
const mappedBlockBytes = 8 * 1024 ** 2;

function endOfHeader({ bytes, length, isLast }: Block): number {
  const lineEnd = bytes.subarray(0, length).indexOf(0x0a);
  if (lineEnd !== -1) return lineEnd + 1;
  if (isLast) return length;
  throw new HeaderError(`the header line is longer than ${blockBytes} bytes`);
}

function byteOrderMarkLength({ bytes, length }: Block): number {
  return length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
}

async function registerAgents(
  { agents, plan, separator }: OpenFile,
  block: Buffer,
  rows: ScannedRows,
  { knownAgentsOnly, isDryRun }: LoadTarget,
): Promise<void> {
  if (knownAgentsOnly || !agents.hasNew) return;
  setNewUnits(agents, plan, separator, block, rows);
  await (isDryRun ? agents.previewNew() : agents.registerNew());
}

/** The invalid rows and those of agents that may not be registered, in the order of their lines. */
function rejectedRows(
  rows: ScannedRows,
  block: Buffer,
  { agents, plan }: OpenFile,
  { knownAgentsOnly }: LoadTarget,
): readonly RejectedRow[] {
  const unregistered = unregisteredRows(rows, block, agents, plan, knownAgentsOnly);
  return [...rows.rejected, ...unregistered].sort((a, b) => a.line - b.line);
}

/** The rejected rows as they are in the file, with those before `line` that could not be mapped. */
function withMapped(
  rejected: readonly RejectedRow[],
  mapped: MappedRows | undefined,
  line: number,
): readonly RejectedRow[] {
  if (mapped === undefined) return rejected;
  const inFile = rejected.map((row) => mapped.asInFile(row));
  const rows = [...inFile, ...mapped.takeRejected(line)].sort((a, b) => a.line - b.line);
  mapped.forget(line);
  return rows;
}

function rejectRows(
  rejected: readonly RejectedRow[],
  { isStrict, rejectLimit }: LoadTarget,
  counts: RejectCounts,
  rejects: RejectFile,
): void {
  const [first] = rejected;
  if (isStrict && first !== undefined) throw new InvalidRowError(first);
  counts.add(rejected);
  rejects.add(rejected);
  rejectLimit.add(rejected.length);
}

async function recordSent({ sender }: OpenFile, target: LoadTarget): Promise<void> {
  if (target.isDryRun || sender.sent === 0) return;
  const { database, organisationId, test } = target;
  const rows = sender.sent;
  await recordReplacement(database, { organisationId, actor: operatorName(), test, rows });
}

interface ReadRows {
  readonly counts: RejectCounts;
  readonly excluded: number;
  readonly mapped: MappedRows | undefined;
}

async function summarise(
  { plan, hasHeader, separator, agents, scanner, sender }: OpenFile,
  { counts, excluded, mapped }: ReadRows,
  target: LoadTarget,
): Promise<Omit<LoadSummary, 'rejectFile' | 'encoding' | 'lineEnds'>> {
  const { clickhouse, database, organisationId, test, isDryRun } = target;
  const { days, rounded, timesWithoutTimeOfDay } = scanner.statistics;
  const { sent, recorded, duplicates, differing, receivedAtUs } = sender;
  const stored = isDryRun
    ? sent - duplicates.identical - duplicates.different
    : days === undefined
      ? 0
      : await countStoredRows(clickhouse, { organisationId, test, days, receivedAtUs });
  const rejected = counts.total;
  const known = days && (await agentsWithoutMetadata(database, agents.usedKeys(), days));
  // In a dry run, new agents have no key to look for.
  const added = isDryRun ? agents.registeredCount : 0;
  return {
    rowsRead: sent + recorded + rejected + excluded,
    ...accountFor({ sent, recorded, duplicates }, stored),
    sent,
    differing: differing === undefined ? null : { ...differing, replaced: target.isReplacing },
    rejected,
    rejectedBecause: counts.reasons(),
    excluded,
    rounded,
    timesWithoutTimeOfDay,
    multiline: (mapped === undefined ? scanner.statistics.multiline : mapped.multiline) ?? null,
    days: days ?? null,
    agentsRegistered: agents.registeredCount,
    agentsWithout: {
      timezone: (known?.timezone ?? 0) + added,
      package: (known?.package ?? 0) + added,
      firstWithoutTimezone: known?.firstWithoutTimezone ?? [],
    },
    hasHeader,
    format: mapped?.format ?? 'csv',
    separator: separatorNames[mapped?.separator ?? separator],
    missingColumns: plan.absent,
    ignoredColumns: [...plan.ignored, ...(mapped?.unusedColumns ?? [])],
  };
}
