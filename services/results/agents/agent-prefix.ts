import type { StoredAgent } from '../../registry/agents.ts';
import { csvText } from '../csv/csv-text.ts';
import type { Separator } from '../csv/parse-csv.ts';

export interface PrefixOptions {
  readonly organisationId: number;
  /** Values of the constant columns, which follow the agent in the prefix: `6,idle`. */
  readonly constants: readonly (string | number)[];
  /** Of the file, and so of the prefix. Default: comma. */
  readonly separator?: Separator;
  /** Agent columns that the file contains. */
  readonly fileHas: { readonly unitId: boolean; readonly base: boolean };
}

/** The CSV fields that are inserted before each row of an agent. */
export function agentPrefix(
  agent: StoredAgent,
  { organisationId, fileHas, constants, separator }: PrefixOptions,
): Buffer {
  const values = [organisationId, agent.id, agent.agent_id];
  if (!fileHas.unitId) values.push(agent.unit_id ?? '');
  if (!fileHas.base) values.push(agent.base);
  // Ends with the separator: an empty last field.
  return Buffer.from(csvText([[...values, ...constants, '']], separator).slice(0, -1));
}

/** Columns of a row's prefix, before the constants. */
export function prefixColumns({ unitId, base }: PrefixOptions['fileHas']): readonly string[] {
  return [
    'organisation_id',
    'agent_key',
    'agent_id',
    ...(unitId ? [] : ['unit_id']),
    ...(base ? [] : ['base']),
  ];
}
