import { requiredColumns } from '../../catalog/required-columns.ts';
import type { Separator } from '../../results/csv/parse-csv.ts';
import { type FilePlan, planFile } from '../../results/columns/file-plan.ts';
import type { LoadTarget } from './load-target.ts';
import { detectSeparator, headerNames } from '../../results/rows/dialect.ts';
import {
  agentKind,
  insertColumns,
  openScanner,
  ownAgentColumns,
} from '../../results/rows/open-scanner.ts';
import type { RowScanner } from '../../results/rows/row-scanner.ts';
import { AgentDirectory } from '../../results/agents/agent-directory.ts';
import { BlockLedger } from './store/block-ledger.ts';
import { BlockSender } from './store/block-sender.ts';
import { StoredRows } from './store/stored-rows.ts';
import { DuplicateKeys } from '../../results/store/duplicate-keys.ts';

/** A file whose header was read. */
export interface OpenFile {
  readonly plan: FilePlan;
  /** The first line of the file is its header. */
  readonly hasHeader: boolean;
  readonly separator: Separator;
  readonly agents: AgentDirectory;
  readonly scanner: RowScanner;
  readonly keys: DuplicateKeys;
  readonly sender: BlockSender;
}

/** Matches the header line with the test. Throws a HeaderError. */
export function planHeader(
  line: string,
  target: Pick<
    LoadTarget,
    'test' | 'columns' | 'ignore' | 'constants' | 'fallbacks' | 'readHeader'
  >,
): Pick<OpenFile, 'plan' | 'hasHeader' | 'separator'> & { readonly constants: Constants } {
  const separator = detectSeparator(line);
  const firstLine = headerNames(line, separator);
  const { titles, isMissing } = target.readHeader?.(firstLine) ?? {
    titles: firstLine,
    isMissing: false,
  };
  const names = titles.map((title) => title.toLowerCase());
  const fallbacks = Object.entries(target.fallbacks).filter(([name]) => !names.includes(name));
  const constants = { ...target.constants, ...Object.fromEntries(fallbacks) };
  const required = requiredColumns(target.test);
  const plan = planFile(titles, target.columns, { ignore: target.ignore, constants, required });
  return { plan, hasHeader: !isMissing, separator, constants };
}

type Constants = LoadTarget['constants'];

/** `firstLine`: the line of the first row; by default the one after the header, if there is one. */
export async function openFile(
  header: string,
  target: LoadTarget,
  firstLine?: number,
): Promise<OpenFile> {
  const { database, clickhouse, organisationId, test, columns, maxAheadS } = target;
  const { plan, hasHeader, separator, constants } = planHeader(header, target);
  const agents = await AgentDirectory.open({
    inDatabase: (work) => work(database),
    organisationId,
    kind: agentKind(test),
    constants: Object.values(constants),
    separator,
    fileHas: ownAgentColumns(plan),
    ...(target.excludedUnits === undefined ? {} : { excludedUnits: target.excludedUnits }),
  });
  const insertNames = insertColumns(plan, constants);
  return {
    plan,
    hasHeader,
    separator,
    agents,
    scanner: openScanner({
      plan,
      separator,
      agents,
      firstLine: firstLine ?? (hasHeader ? 2 : 1),
      maxAheadS,
    }),
    keys: new DuplicateKeys(),
    sender: new BlockSender({
      database,
      clickhouse,
      test,
      ledger: new BlockLedger(clickhouse, organisationId, test),
      stored: new StoredRows({
        clickhouse,
        organisationId,
        test,
        columns,
        constants,
        insertNames,
        fileNames: plan.insertNames,
        separator,
      }),
      insertNames,
      separator,
      again: target.again || target.isReplacing,
      isReplacing: target.isReplacing,
      isDryRun: target.isDryRun,
    }),
  };
}
