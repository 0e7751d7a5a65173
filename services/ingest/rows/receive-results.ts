import type { Readable } from 'node:stream';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { OpenRows } from '../../results/rows/open-rows.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { unixTime, withFirstColumn } from '../../results/insert/rows-to-insert.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import type { ResultsFormat } from '../request/parse-results-request.ts';
import type { ReceivedRows } from '../batches/results-batcher.ts';
import { checkRows, type ResultsTarget, type RowBlock } from './check-rows.ts';
import { readRows } from './read-rows.ts';
import { joinRejects, type ReceiptData, RejectList, rejectsError } from './receipt.ts';

interface ReceiveOptions {
  readonly format: ResultsFormat;
  /** Store nothing unless all rows are valid. */
  readonly isAtomic: boolean;
  /** The rows are corrections: they replace stored results with the same key. */
  readonly isReplacing: boolean;
  /** Of a request, blank ones included. */
  readonly maxLines: number;
  /** Beyond it nothing is stored. */
  readonly maxRejected: number;
  readonly maxListedRejects: number;
  /** Resolves when ClickHouse has the rows. */
  readonly insert: (rows: ReceivedRows) => Promise<void>;
  readonly onRejected: (rows: number) => void;
  /** Awaited between two parts, so that other requests can run. Throws if the client disconnects. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Checks the rows of a body and stores the valid ones. Returns when ClickHouse has them. Checks rows while the body
 * arrives, but keeps them until its end, so that nothing of an incomplete, too large or damaged body is stored.
 */
export async function receiveResults(
  content: Readable,
  target: ResultsTarget,
  { format, ...options }: ReceiveOptions,
): Promise<ReceiptData> {
  const { maxLines, maxListedRejects, nextTurn } = options;
  const invalid = new RejectList(maxListedRejects);
  const blocks: RowBlock[] = [];
  let open: OpenRows | undefined;
  const onBlock = (
    opened: OpenRows,
    block: RowBlock,
    rejected: readonly RejectedRow[],
    lineCount: number,
  ) => {
    open = opened;
    if (lineCount > maxLines) throw tooManyLines(maxLines);
    if (block.rows.count > 0) blocks.push(block);
    invalid.add(rejected);
    limitRejected(options, invalid);
    if (open.agents.newCount > maxAgents) throw tooManyAgents();
  };
  // Most agents are in the first block: they are looked up while the others are scanned. Not before the body has ended,
  // or an agent that is erased meanwhile would not be refused.
  let found: Promise<void> | undefined;
  const onReceived = ({ agents }: OpenRows) => {
    found ??= agents.findNew();
    found.catch(() => undefined);
  };
  try {
    await readRows(content, format, target, { onBlock, onReceived, nextTurn });
  } catch (error) {
    if (error instanceof HeaderError) throw validationError({ columns: [`${error.message}.`] });
    throw error;
  } finally {
    content.destroy();
  }
  if (open === undefined) return nothing;
  await found;
  return storeRows(open, blocks, { ...options, target, invalid });
}

const nothing: ReceiptData = {
  rows: 0,
  stored: 0,
  duplicates: 0,
  rejected: 0,
  agentsRegistered: 0,
  rejects: [],
};

/** Each takes some hundred bytes of memory, and is looked up in Postgres. */
const maxAgents = 100_000;

export function tooManyLines(maxLines: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    publicMessage: `The request body has more than ${maxLines} lines, the maximum (INGEST_MAX_LINES). Nothing was stored. Send several smaller requests.`,
  });
}

type RejectLimits = Pick<ReceiveOptions, 'maxRejected' | 'maxListedRejects' | 'onRejected'>;

/** Throws when there are more rejected rows than a request may have: the work on them ends. */
function limitRejected(
  { maxRejected, maxListedRejects, onRejected }: RejectLimits,
  ...lists: readonly RejectList[]
): void {
  if (lists.reduce((sum, { count }) => sum + count, 0) <= maxRejected) return;
  const rejects = joinRejects(maxListedRejects, ...lists);
  onRejected(rejects.count);
  throw rejectsError(rejects, maxRejected);
}

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
  options: StoreOptions,
): Promise<ReceiptData> {
  const { target, invalid, isAtomic, isReplacing, maxListedRejects, insert, onRejected } = options;
  const { agents } = open;
  await agents.findNew();
  const known = await checkBlocks(open, blocks, options);
  const refused = joinRejects(maxListedRejects, invalid, known.refused);
  // Before registering agents: on an error not even these are stored.
  if (isAtomic && refused.count > 0) throw rejectsError(refused);
  const checked = await withNewAgents(open, blocks, known, options);
  const rejects = joinRejects(maxListedRejects, invalid, checked.refused);
  onRejected(rejects.count);
  const correctedAt = isReplacing ? unixTime(Date.now() * 1000) : undefined;
  const { duplicates, ...rows } = await rowsToStore(open, checked, correctedAt, options);
  const { rowCount: stored } = rows;
  if (rejects.count > 0 && (isAtomic || stored === 0)) throw rejectsError(rejects);
  if (stored > 0) await insert({ test: target.test, ...rows });
  return {
    rows: stored + rejects.count,
    stored,
    duplicates,
    rejected: rejects.count,
    agentsRegistered: agents.registeredCount,
    rejects: rejects.listed,
  };
}

interface CheckedBlocks {
  readonly blocks: readonly Omit<ReturnType<typeof checkRows>, 'refused'>[];
  readonly refused: RejectList;
}

/** Other requests can run between two blocks. */
async function checkBlocks(
  open: OpenRows,
  blocks: readonly RowBlock[],
  options: StoreOptions,
): Promise<CheckedBlocks> {
  const { target, invalid, maxListedRejects, nextTurn } = options;
  const refused = new RejectList(maxListedRejects);
  const checked = [];
  for (const block of blocks) {
    const { refused: ofBlock, ...rest } = checkRows(open, block, target);
    refused.add(ofBlock);
    limitRejected(options, invalid, refused);
    checked.push(rest);
    if (blocks.length > 1) await nextTurn();
  }
  return { blocks: checked, refused };
}

/** Corrections get a first column with their time. Other requests can run between two steps. */
async function rowsToStore(
  { insertNames, separator }: OpenRows,
  { blocks }: CheckedBlocks,
  correctedAt: string | undefined,
  { nextTurn }: StoreOptions,
) {
  const stored: Buffer[] = [];
  // Duplicates: rows with the key of an earlier row of the request.
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
  options: StoreOptions,
): Promise<CheckedBlocks> {
  if (options.target.unknownAgents === 'refuse' || open.agents.newCount === 0) return known;
  for (const { registerUnits } of known.blocks) {
    registerUnits();
    if (blocks.length > 1) await options.nextTurn();
  }
  await open.agents.registerNew();
  return checkBlocks(open, blocks, options);
}
