import type { OptionValues } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import type { loadOptions } from './load-options.ts';
import { asUsageError } from './mapping-options.ts';
import type { InputFile } from '../../load/input/input-files.ts';
import type { MappingRequest } from '../../load/mapping/complete-mapping.ts';
import { agentsSection, type AgentsSection } from '../../load/agents/agents-section.ts';
import { parsePeriod, type Period } from '../../load/agents/period-columns.ts';

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
