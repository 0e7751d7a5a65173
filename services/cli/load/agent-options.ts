import moment from 'moment-timezone';
import type { OptionValues } from '../arguments.ts';
import { UsageError } from '../command.ts';
import type { loadOptions } from './load-options.ts';
import { asUsageError } from './mapping-options.ts';
import { hasColumn, type TestKey } from '../../catalog/test-tables.ts';
import type { InputFile } from '../../load/input/input-files.ts';
import type { MappingRequest } from '../../load/mapping/complete-mapping.ts';
import { agentsSection, type AgentsSection } from '../../load/agents/agents-section.ts';
import {
  type Period,
  type PeriodColumns,
  periodColumns,
} from '../../load/agents/period-columns.ts';

/** Options of netpanel load for files that describe a period or agents, for parseOptions. */
export const agentOptions = {
  period: { type: 'string' },
  'no-agents': { type: 'boolean', default: false },
  rewrite: { type: 'boolean', default: false },
} as const;

export const agentOptionsUsage = `  --period FROM/TO     first and last day that the rows describe, such as 2022-05-01/2022-05-31:
                       fills dtime and, for the test panel, period_end; default: that of the preset
  --no-agents          load only the results, without the metadata that the mapping describes
  --rewrite            let that metadata replace other values that are recorded from the same day on`;

export interface AgentSettings {
  readonly period: Period | undefined;
  /** What the mapping says about agents, if it is to be imported. */
  readonly section: AgentsSection | undefined;
  readonly mayRewrite: boolean;
}

/** Throws a UsageError for an invalid value. */
export function agentSettings(
  values: OptionValues<typeof agentOptions & typeof loadOptions>,
  mapping: MappingRequest,
  inputs: readonly InputFile[],
): AgentSettings {
  const section = values['no-agents'] ? undefined : asUsageError(() => agentsSection(mapping));
  const period = statedPeriod(values.period, mapping);
  if (section !== undefined && values['known-agents-only']) {
    throw new UsageError('--known-agents-only needs --no-agents: the mapping describes new agents');
  }
  if (section !== undefined && inputs.some(({ path }) => path === '-')) {
    throw new UsageError(
      'Standard input can be read only once, but the mapping also describes agents: save it as a file, ' +
        'or use --no-agents',
    );
  }
  return { period, section, mayRewrite: values.rewrite };
}

/** That of --period, or of the mapping file. */
function statedPeriod(
  option: string | undefined,
  { file, preset }: MappingRequest,
): Period | undefined {
  const ofFile = file?.period;
  if (option !== undefined && ofFile !== undefined && option !== ofFile) {
    const name = preset === undefined ? 'the mapping file' : `the preset ${preset}`;
    throw new UsageError(`--period ${option} does not match ${name}, which is of ${ofFile}`);
  }
  const text = option ?? ofFile;
  return text === undefined ? undefined : parsePeriod(text);
}

/** The columns that --period fills. Throws a UsageError if a mapping of the test panel needs it. */
export function periodOf(
  { period }: AgentSettings,
  mapping: MappingRequest,
  test: TestKey,
): PeriodColumns | undefined {
  const { file, columns } = mapping;
  if (period !== undefined) return periodColumns(period, mapping, test);
  const isStated = (name: string) => name in columns || name in (file?.columns ?? {});
  const needsPeriod = file !== undefined && hasColumn(test, 'period_end');
  if (needsPeriod && !(isStated('dtime') && isStated('period_end'))) {
    throw new UsageError(
      '--period is missing: the first and last day that the file describes, such as 2022-05-01/2022-05-31',
    );
  }
  return undefined;
}

/** Parses `2022-05-01/2022-05-31`. Throws a UsageError. */
export function parsePeriod(text: string): Period {
  const [, firstDay = '', lastDay = ''] = /^(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (!isDay(firstDay) || !isDay(lastDay)) {
    throw new UsageError(
      `--period must be the first and the last day, such as 2022-05-01/2022-05-31, not "${text}"`,
    );
  }
  if (lastDay < firstDay) throw new UsageError(`--period ends before it begins: ${text}`);
  return { firstDay, lastDay };
}

function isDay(text: string): boolean {
  // ClickHouse stores dates from 1970 to 2105, in any time zone.
  return (
    text > '1970-01-01' && text < '2105-12-31' && moment.utc(text, 'YYYY-MM-DD', true).isValid()
  );
}
