import { planFile } from '../results/columns/file-plan.ts';
import { detectSeparator, headerNames } from '../results/csv.ts';
import { type OpenRows, openRows } from '../results/rows/open-rows.ts';
import type { LoadTarget } from './blocks/load-target.ts';
import { BlockSender } from './blocks/block-sender.ts';

/** A file whose header was read. */
export interface OpenFile extends OpenRows {
  /** The first line of the file is its header. */
  readonly hasHeader: boolean;
  readonly sender: BlockSender;
}

/** Matches the header line with the test. Throws a HeaderError. */
export function planHeader(line: string, target: Omit<LoadTarget, 'onRows'>) {
  const separator = detectSeparator(line);
  const firstLine = headerNames(line, separator);
  const { titles, isMissing } = target.readHeader?.(firstLine) ?? {
    titles: firstLine,
    isMissing: false,
  };
  const names = titles.map((title) => title.toLowerCase());
  const fallbacks = Object.entries(target.fallbacks).filter(([name]) => !names.includes(name));
  const constants = { ...target.constants, ...Object.fromEntries(fallbacks) };
  const plan = planFile(titles, target.test, { ...target, constants });
  return { plan, hasHeader: !isMissing, separator, constants };
}

/** `firstLine`: the line of the first row; by default the one after the header, if there is one. */
export async function openFile(
  header: string,
  given: LoadTarget,
  firstLine?: number,
): Promise<OpenFile> {
  const { plan, hasHeader, separator, constants } = planHeader(header, given);
  const { database } = given;
  const target = {
    ...given,
    constants,
    inDatabase: <T>(work: (connection: typeof database) => Promise<T>) => work(database),
  };
  const format = { separator, firstLine: firstLine ?? (hasHeader ? 2 : 1) };
  const rows = openRows(plan, format, target);
  await rows.agents.readAll();
  return { ...rows, hasHeader, sender: new BlockSender(target, rows) };
}
