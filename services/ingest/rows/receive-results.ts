import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { unixTime, withFirstColumn } from '../../results/store/rows-to-insert.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import type { ResultsFormat } from '../request/content-type.ts';
import type { ReceivedRows, RowSink } from '../store/row-sink.ts';
import { checkRows } from './check-rows.ts';
import type { OpenRows, RowBlock } from './open-rows.ts';
import { readRows } from './read-rows.ts';
import { Receipt, type ReceiptData } from './receipt.ts';
import { RejectList } from './reject-list.ts';
import type { ResultsTarget } from './results-target.ts';

interface ReceiveOptions {
  readonly format: ResultsFormat;
  /** Store nothing unless all rows are valid. */
  readonly isAtomic: boolean;
  /** The rows are corrections: they replace stored results with the same key. */
  readonly isReplacing: boolean;
  readonly maxListedRejects: number;
  readonly sink: RowSink;
  readonly onRejected: (rows: number) => void;
}

/**
 * Checks the rows of a body and stores the valid ones. Returns when ClickHouse has them. Rows are checked while the body
 * arrives. They are kept until its end, so that nothing is stored of a body that is cut off, too large or damaged.
 */
export async function receiveResults(
  content: Readable,
  target: ResultsTarget,
  { format, ...options }: ReceiveOptions,
): Promise<ReceiptData> {
  const invalid = new RejectList(options.maxListedRejects);
  const blocks: RowBlock[] = [];
  let open: OpenRows | undefined;
  const onBlock = (opened: OpenRows, block: RowBlock, rejected: readonly RejectedRow[]) => {
    open = opened;
    if (block.rows.count > 0) blocks.push(block);
    invalid.add(rejected);
    if (open.agents.newCount > maxAgents) throw tooManyAgents();
    return Promise.resolve();
  };
  // Most agents are in the first block: they are looked up while the others are scanned. Not before the body has ended,
  // or an agent that is erased meanwhile would not be refused.
  let found: Promise<void> | undefined;
  const onReceived = ({ agents }: OpenRows) => {
    found ??= agents.findNew();
    found.catch(() => undefined);
  };
  try {
    await readRows(content, format, target, { onBlock, onReceived });
  } catch (error) {
    if (error instanceof HeaderError) throw validationError({ columns: [`${error.message}.`] });
    throw error;
  } finally {
    content.destroy();
  }
  if (open === undefined) return new Receipt(0).data(0);
  await found;
  return storeRows(open, blocks, { ...options, target, invalid });
}

/** Each takes some hundred bytes of memory, and is looked up in Postgres. */
const maxAgents = 100_000;

function tooManyAgents(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    publicMessage: `The request has results of more than ${maxAgents} agents. Send several smaller requests.`,
  });
}

interface StoreOptions extends Omit<ReceiveOptions, 'format'> {
  readonly target: ResultsTarget;
  /** Rows that were rejected while the body was read. */
  readonly invalid: RejectList;
}

async function storeRows(
  open: OpenRows,
  blocks: readonly RowBlock[],
  { target, invalid, isAtomic, isReplacing, maxListedRejects, sink, onRejected }: StoreOptions,
): Promise<ReceiptData> {
  const { agents } = open;
  await agents.findNew();
  const known = await checkBlocks(open, blocks, target, maxListedRejects);
  const receipt = new Receipt(maxListedRejects);
  receipt.reject(invalid, known.refused);
  // Before agents are registered: nothing is stored, not even they.
  if (isAtomic && receipt.rejected > 0) throw receipt.error();
  const checked = await withNewAgents(open, blocks, known, target, maxListedRejects);
  const final = new Receipt(maxListedRejects);
  final.reject(invalid, checked.refused);
  onRejected(final.rejected);
  const correctedAt = isReplacing ? unixTime(Date.now() * 1000) : undefined;
  const { duplicates, ...rows } = await rowsToStore(open, checked, correctedAt);
  if (final.rejected > 0 && (isAtomic || rows.rowCount === 0)) throw final.error();
  if (rows.rowCount > 0) await sink.insert({ test: target.test, ...rows });
  final.store(rows.rowCount, duplicates);
  return final.data(agents.registeredCount);
}

interface CheckedBlocks {
  readonly blocks: readonly Omit<ReturnType<typeof checkRows>, 'refused'>[];
  readonly refused: RejectList;
}

/** Other requests can run between two blocks. */
async function checkBlocks(
  open: OpenRows,
  blocks: readonly RowBlock[],
  target: ResultsTarget,
  maxListed: number,
): Promise<CheckedBlocks> {
  const refused = new RejectList(maxListed);
  const checked = [];
  for (const block of blocks) {
    const { refused: ofBlock, ...rest } = checkRows(open, block, target);
    refused.add(ofBlock);
    checked.push(rest);
    if (blocks.length > 1) await nextTurn();
  }
  return { blocks: checked, refused };
}

interface RowsToStore extends Omit<ReceivedRows, 'test'> {
  /** Rows with the key of an earlier row of the request. */
  readonly duplicates: number;
}

/** Corrections get a first column with their time. Other requests can run between two steps. */
async function rowsToStore(
  { insertNames, separator }: OpenRows,
  { blocks }: CheckedBlocks,
  correctedAt: string | undefined,
): Promise<RowsToStore> {
  const stored: Buffer[] = [];
  let [rowCount, byteCount, duplicates] = [0, 0, 0];
  for (const { toInsert } of blocks) {
    const rows = toInsert();
    if (blocks.length > 1) await nextTurn();
    const bytes =
      correctedAt === undefined ? rows.bytes : withFirstColumn(rows, correctedAt + separator);
    if (correctedAt !== undefined && blocks.length > 1) await nextTurn();
    stored.push(bytes);
    rowCount += rows.rowCount;
    byteCount += bytes.length;
    duplicates += rows.duplicates.identical + rows.duplicates.different;
  }
  const names = correctedAt === undefined ? insertNames : ['corrected_at', ...insertNames];
  return { names, separator, blocks: stored, rowCount, byteCount, duplicates };
}

/** Registers agents, if the setting allows it, and checks the rows again. */
async function withNewAgents(
  open: OpenRows,
  blocks: readonly RowBlock[],
  known: CheckedBlocks,
  target: ResultsTarget,
  maxListed: number,
): Promise<CheckedBlocks> {
  if (target.unknownAgents === 'refuse' || !open.agents.hasNew) return known;
  for (const { registerUnits } of known.blocks) registerUnits();
  await open.agents.registerNew();
  return checkBlocks(open, blocks, target, maxListed);
}
