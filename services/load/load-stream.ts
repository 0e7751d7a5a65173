import { setNewUnits, unregisteredRows } from '../results/rows/unregistered-rows.ts';
import { HeaderError } from '../results/columns/file-plan.ts';
import { separatorNames } from '../results/csv.ts';
import { type Block, endOfHeader, readBlocks } from '../results/rows/read-blocks.ts';
import { byLine, type RejectedRow, type ScannedRows } from '../results/rows/scanned-rows.ts';
import { recordReplacement } from '../results/insert/record-replacement.ts';
import { rowsToInsert } from '../results/insert/rows-to-insert.ts';
import { encodingTitle } from './input/text-encoding.ts';
import type { LoadTarget } from './blocks/load-target.ts';
import type { LoadInput, MappedRows } from './mapping/mapped-rows.ts';
import { openFile, type OpenFile } from './open-file.ts';
import { agentsWithoutMetadata } from './summary/agents-without-metadata.ts';
import type { LoadSummary } from './summary/load-summary.ts';
import { InvalidRowError, Rejects } from './blocks/rejects.ts';

/** Loads one CSV file. Reads and checks the next block while ClickHouse inserts the current one. */
export async function loadStream(
  { content, format, mapped }: LoadInput,
  target: LoadTarget,
  rejectFile: string,
): Promise<LoadSummary> {
  const rejects = new Rejects(rejectFile);
  let file: OpenFile | undefined;
  let excluded = 0;
  let sending: Promise<void> = Promise.resolve();
  try {
    await readBlocks(content, mapped ? mappedBlockBytes : blockBytes, async (block) => {
      if (format.isEmpty) throw new HeaderError('the file is empty (0 bytes)');
      let headerEnd = 0;
      if (file === undefined) {
        headerEnd = endOfHeader(block, blockBytes);
        const header = block.bytes.toString('utf8', 0, headerEnd);
        file = await openFile(header, target, mapped?.firstLine);
        if (!file.hasHeader) headerEnd = byteOrderMarkLength(block);
      }
      const body = block.bytes.subarray(headerEnd);
      const rows = file.scanner.scan(body, block.length - headerEnd, block.isLast);
      await file.agents.forgetErased();
      await registerAgents(file, body, rows, target);
      excluded += file.agents.countExcluded(rows);
      const unregistered = unregisteredRows(file, body, rows, target.knownAgentsOnly);
      const invalid = [...rows.rejected, ...unregistered].sort(byLine);
      const line = block.isLast ? Infinity : file.scanner.nextLine;
      rejectRows(withMapped(invalid, mapped, line), target, rejects);
      const toInsert = rowsToInsert(file, body, rows);
      await sending;
      sending = file.sender.send(toInsert).then(() => target.onRows(toInsert.rowCount));
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
  if (rejects.total === 0 && !target.isDryRun) rejects.remove();
  const { encoding, lineEnds } = format;
  const summary = await summarise(file, { rejects, excluded, mapped }, target);
  return { ...summary, encoding: encodingTitle(encoding), lineEnds };
}

/** Measured: ClickHouse uses a third less CPU than with 16 MiB; 64 MiB gains nothing. Four blocks are in memory. */
const blockBytes = 32 * 1024 ** 2;

/** The rows of a block are also kept as they are in the file, which may be ten times larger. */
const mappedBlockBytes = 8 * 1024 ** 2;

function byteOrderMarkLength({ bytes, length }: Block): number {
  return length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
}

async function registerAgents(
  file: OpenFile,
  block: Buffer,
  rows: ScannedRows,
  { knownAgentsOnly, isDryRun }: LoadTarget,
): Promise<void> {
  const { agents } = file;
  if (knownAgentsOnly || agents.newCount === 0) return;
  setNewUnits(file, block, rows);
  await (isDryRun ? agents.previewNew() : agents.registerNew());
}

/** The rejected rows as they are in the file, with those before `line` that could not be mapped. */
function withMapped(
  rejected: readonly RejectedRow[],
  mapped: MappedRows | undefined,
  line: number,
): readonly RejectedRow[] {
  if (mapped === undefined) return rejected;
  const inFile = rejected.map((row) => mapped.asInFile(row));
  const rows = [...inFile, ...mapped.takeRejected(line)].sort(byLine);
  mapped.forget(line);
  return rows;
}

function rejectRows(
  rejected: readonly RejectedRow[],
  { isStrict, rejectLimit }: LoadTarget,
  rejects: Rejects,
): void {
  const [first] = rejected;
  if (isStrict && first !== undefined) throw new InvalidRowError(first);
  rejects.add(rejected);
  rejectLimit.add(rejected.length);
}

async function recordSent({ sender }: OpenFile, target: LoadTarget): Promise<void> {
  if (target.isDryRun || sender.sent === 0) return;
  const { database, organisationId, actor, test } = target;
  await recordReplacement(database, { organisationId, actor, test, rows: sender.sent });
}

interface ReadRows {
  readonly rejects: Rejects;
  readonly excluded: number;
  readonly mapped: MappedRows | undefined;
}

async function summarise(
  { plan, hasHeader, separator, agents, scanner, sender }: OpenFile,
  { rejects, excluded, mapped }: ReadRows,
  target: LoadTarget,
): Promise<Omit<LoadSummary, 'encoding' | 'lineEnds'>> {
  const { database, isDryRun } = target;
  const { days, rounded, timesWithoutTimeOfDay } = scanner.statistics;
  const { sent, recorded, differing } = sender;
  const rejected = rejects.total;
  const known = days && (await agentsWithoutMetadata(database, agents.usedKeys(), days));
  // In a dry run, new agents have no key to look for.
  const added = isDryRun ? agents.registeredCount : 0;
  return {
    rowsRead: sent + recorded + rejected + excluded,
    ...(await sender.account(days)),
    sent,
    differing: { ...differing, replaced: target.isReplacing },
    rejected,
    rejectedBecause: rejects.reasons(),
    rejectFile: rejected === 0 ? null : rejects.path,
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
