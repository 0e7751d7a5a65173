import type { Readable } from 'node:stream';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import type { RowsToInsert } from '../../results/store/rows-to-insert.ts';
import { validationError } from '../../shared/errors/app-error.ts';
import type { ResultsFormat } from '../request/content-type.ts';
import type { RowSink } from '../store/row-sink.ts';
import { checkRows } from './check-rows.ts';
import { joinRows } from './join-rows.ts';
import type { OpenRows, RowBlock } from './open-rows.ts';
import { readRows } from './read-rows.ts';
import { Receipt, type ReceiptData } from './receipt.ts';
import type { ResultsTarget } from './results-target.ts';

interface ReceiveOptions {
  readonly format: ResultsFormat;
  /** Store nothing unless all rows are valid. */
  readonly isAtomic: boolean;
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
  const invalid: RejectedRow[] = [];
  const blocks: RowBlock[] = [];
  let open: OpenRows | undefined;
  const onBlock = (opened: OpenRows, block: RowBlock, rejected: readonly RejectedRow[]) => {
    open = opened;
    blocks.push(block);
    for (const row of rejected) invalid.push(withoutText(row));
    return Promise.resolve();
  };
  try {
    await readRows(content, format, target, { onBlock });
  } catch (error) {
    if (error instanceof HeaderError) throw validationError({ columns: [`${error.message}.`] });
    throw error;
  } finally {
    content.destroy();
  }
  if (open === undefined) return new Receipt(0).data(0);
  return storeRows(open, blocks, { ...options, target, invalid });
}

/** Only the response shows rejected rows, and it does not have their text. */
function withoutText(row: RejectedRow): RejectedRow {
  return { ...row, text: noText };
}

const noText = Buffer.alloc(0);

interface StoreOptions extends Omit<ReceiveOptions, 'format'> {
  readonly target: ResultsTarget;
  /** Rows that were rejected while the body was read. */
  readonly invalid: readonly RejectedRow[];
}

async function storeRows(
  open: OpenRows,
  blocks: readonly RowBlock[],
  { target, invalid, isAtomic, maxListedRejects, sink, onRejected }: StoreOptions,
): Promise<ReceiptData> {
  const { agents, insertNames: names, separator } = open;
  await agents.findNew();
  const known = blocks.map((block) => checkRows(open, block, target));
  // Before agents are registered: nothing is stored, not even they.
  const refusedAtOnce = known.flatMap(({ refused }) => refused);
  if (isAtomic && invalid.length + refusedAtOnce.length > 0) {
    throw receiptOf([...invalid, ...refusedAtOnce], maxListedRejects).error();
  }
  const checked = await withNewAgents(open, blocks, known, target);
  const refused = checked.flatMap((rows) => rows.refused);
  const receipt = receiptOf([...invalid, ...refused], maxListedRejects);
  onRejected(receipt.rejected);
  const rows = joinRows(checked.map(({ toInsert }) => toInsert()));
  if (receipt.rejected > 0 && (isAtomic || rows.rowCount === 0)) throw receipt.error();
  if (rows.rowCount > 0) await sink.insert({ test: target.test, names, separator, rows });
  receipt.store(rows.rowCount, duplicatesOf(rows));
  return receipt.data(agents.registeredCount);
}

/** Registers agents, if the setting allows it, and checks the rows again. */
async function withNewAgents(
  open: OpenRows,
  blocks: readonly RowBlock[],
  known: readonly ReturnType<typeof checkRows>[],
  target: ResultsTarget,
): Promise<readonly ReturnType<typeof checkRows>[]> {
  if (target.unknownAgents === 'refuse' || !open.agents.hasNew) return known;
  for (const { registerUnits } of known) registerUnits();
  await open.agents.registerNew();
  return blocks.map((block) => checkRows(open, block, target));
}

function receiptOf(rejected: readonly RejectedRow[], maxListed: number): Receipt {
  const receipt = new Receipt(maxListed);
  receipt.reject(rejected.toSorted((a, b) => a.line - b.line));
  return receipt;
}

function duplicatesOf({ duplicates }: RowsToInsert): number {
  return duplicates.identical + duplicates.different;
}
