import type { Separator } from '../csv/parse-csv.ts';
import { type FilePlan, planFile } from './columns/file-plan.ts';
import { withoutSpaces } from './fields/without-spaces.ts';
import type { LoadTarget } from './load-target.ts';
import { detectSeparator, headerNames } from './rows/dialect.ts';
import { RowScanner } from './rows/row-scanner.ts';
import { AgentDirectory } from './store/agent-directory.ts';
import { prefixColumns } from './store/agent-prefix.ts';
import { BlockLedger } from './store/block-ledger.ts';
import { BlockSender } from './store/block-sender.ts';
import { DuplicateKeys } from './store/duplicate-keys.ts';

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
  target: Pick<LoadTarget, 'columns' | 'ignore' | 'constants' | 'fallbacks' | 'readHeader'>,
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
  const plan = planFile(titles, target.columns, { ignore: target.ignore, constants });
  return { plan, hasHeader: !isMissing, separator, constants };
}

type Constants = LoadTarget['constants'];

/** `firstLine`: the line of the first row; by default the one after the header, if there is one. */
export async function openFile(
  header: string,
  target: LoadTarget,
  firstLine?: number,
): Promise<OpenFile> {
  const { database, clickhouse, organisationId, test, again, isDryRun } = target;
  const { plan, hasHeader, separator, constants } = planHeader(header, target);
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
    ...(target.excludedUnits === undefined ? {} : { excludedUnits: target.excludedUnits }),
  });
  const checks =
    separator === '\t' ? plan.checks.map((check) => check && withoutSpaces(check)) : plan.checks;
  const agentNumber = plan.agentIs === 'unit_id' ? agents.unitNumber : agents.agentIdNumber;
  return {
    plan,
    hasHeader,
    separator,
    agents,
    scanner: new RowScanner(
      { ...plan, checks, separator },
      agentNumber,
      firstLine ?? (hasHeader ? 2 : 1),
    ),
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
