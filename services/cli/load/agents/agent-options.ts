import { UsageError } from '../../command.ts';
import type { TestColumn } from '../../../results/columns/test-columns.ts';
import type { InputFile } from '../input/input-files.ts';
import type { MappingRequest } from '../mapping/complete-mapping.ts';
import { MappingError } from '../mapping/expression.ts';
import { agentsSection, type AgentsSection } from './agents-section.ts';
import { parsePeriod, type Period } from './period.ts';
import { type PeriodColumns, periodColumns } from './period-columns.ts';

/** Options of netpanel load for files that describe a period or agents, for parseOptions. */
export const agentOptions = {
  period: { type: 'string' },
  'no-agents': { type: 'boolean', default: false },
  rewrite: { type: 'boolean', default: false },
} as const;

export const agentOptionsUsage = `  --period FROM/TO     first and last day that the rows describe, such as 2022-05-01/2022-05-31:
                       fills dtime and, for the test panel, period_end
  --no-agents          load only the results, without the metadata that the mapping describes
  --rewrite            let that metadata replace other values that are recorded from the same day on`;

interface OptionValues {
  readonly period?: string | undefined;
  readonly 'no-agents': boolean;
  readonly rewrite: boolean;
  readonly 'known-agents-only': boolean;
}

export interface AgentSettings {
  readonly period: Period | undefined;
  /** What the mapping says about agents, if it is to be imported. */
  readonly section: AgentsSection | undefined;
  readonly mayRewrite: boolean;
}

/** Throws a UsageError for an invalid value. */
export function agentSettings(
  values: OptionValues,
  mapping: MappingRequest,
  inputs: readonly InputFile[],
): AgentSettings {
  const section = values['no-agents'] ? undefined : sectionOf(mapping);
  const period = values.period === undefined ? undefined : parsePeriod(values.period);
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

/** The columns that --period fills. Throws a UsageError if a mapping of the test panel needs it. */
export function periodOf(
  { period }: AgentSettings,
  mapping: MappingRequest,
  test: readonly TestColumn[],
): PeriodColumns | undefined {
  const { file, columns } = mapping;
  if (period !== undefined) return periodColumns(period, mapping, test);
  const isStated = (name: string) => name in columns || name in (file?.columns ?? {});
  const needsPeriod = file !== undefined && test.some(({ name }) => name === 'period_end');
  if (needsPeriod && !(isStated('dtime') && isStated('period_end'))) {
    throw new UsageError(
      '--period is missing: the first and last day that the file describes, such as 2022-05-01/2022-05-31',
    );
  }
  return undefined;
}

function sectionOf(mapping: MappingRequest): AgentsSection | undefined {
  try {
    return agentsSection(mapping);
  } catch (error) {
    if (error instanceof MappingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
