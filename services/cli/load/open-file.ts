import type { Separator } from '../csv/parse-csv.ts';
import { type FilePlan, planFile } from './columns/file-plan.ts';
import { withoutSpaces } from './fields/without-spaces.ts';
import type { LoadTarget } from './load-target.ts';
import { detectSeparator, headerNames } from './rows/dialect.ts';
import { RowScanner } from './rows/row-scanner.ts';
import { AgentDirectory, prefixColumns } from './store/agent-directory.ts';
import { BlockLedger } from './store/block-ledger.ts';
import { BlockSender } from './store/block-sender.ts';
import { DuplicateKeys } from './store/duplicate-keys.ts';

/** A file whose header was read. */
export interface OpenFile {
  readonly plan: FilePlan;
  readonly separator: Separator;
  readonly agents: AgentDirectory;
  readonly scanner: RowScanner;
  readonly keys: DuplicateKeys;
  readonly sender: BlockSender;
}

/** Matches the header line with the test. Throws a HeaderError. */
export function planHeader(
  line: string,
  target: Pick<LoadTarget, 'columns' | 'ignore' | 'constants' | 'fallbacks'>,
): { readonly plan: FilePlan; readonly separator: Separator; readonly constants: Constants } {
  const separator = detectSeparator(line);
  const titles = headerNames(line, separator);
  const names = titles.map((title) => title.toLowerCase());
  const fallbacks = Object.entries(target.fallbacks).filter(([name]) => !names.includes(name));
  const constants = { ...target.constants, ...Object.fromEntries(fallbacks) };
  const plan = planFile(titles, target.columns, { ignore: target.ignore, constants });
  return { plan, separator, constants };
}

type Constants = LoadTarget['constants'];

/** `firstLine`: the line of the first row. */
export async function openFile(
  header: string,
  target: LoadTarget,
  firstLine: number,
): Promise<OpenFile> {
  const { database, clickhouse, organisationId, test, again, isDryRun } = target;
  const { plan, separator, constants } = planHeader(header, target);
  const fileHas = {
    unitId: plan.insertNames.includes('unit_id'),
    base: plan.insertNames.includes('base'),
  };
  const agents = await AgentDirectory.open({
    database,
    organisationId,
    kind: test.startsWith('mobile_') ? 'mobile' : 'whitebox',
    constants: Object.values(constants),
    separator,
    fileHas,
  });
  const checks =
    separator === '\t' ? plan.checks.map((check) => check && withoutSpaces(check)) : plan.checks;
  const agentNumber = plan.agentIs === 'unit_id' ? agents.unitNumber : agents.agentIdNumber;
  return {
    plan,
    separator,
    agents,
    scanner: new RowScanner({ ...plan, checks, separator }, agentNumber, firstLine),
    keys: new DuplicateKeys(),
    sender: new BlockSender({
      database,
      clickhouse,
      test,
      ledger: new BlockLedger(clickhouse, organisationId, test),
      insertNames: [...prefixColumns(fileHas), ...Object.keys(constants), ...plan.insertNames],
      separator,
      again,
      isDryRun,
    }),
  };
}
