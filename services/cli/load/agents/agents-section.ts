import { unknownAgentColumns, agentColumns } from '../../agents/parse-agent-records.ts';
import { MappingError } from '../mapping/expression.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { MappingFile } from '../mapping/mapping-file.ts';

/** Expressions by column of `netpanel agents import`: isp, package, timezone, custom.tier. */
export type AgentsSection = Readonly<Record<string, string>>;

/** The section `agents` of a mapping file: what its rows say about agents. Throws a MappingError. */
export function agentsSection(file: MappingFile | undefined): AgentsSection | undefined {
  const section = file?.agents;
  if (section === undefined) return undefined;
  if (!isTexts(section)) {
    throw new MappingError('agents must be an object such as {"isp": "provider"}');
  }
  const unknown = unknownAgentColumns(Object.keys(section));
  if (unknown.length > 0) {
    throw new MappingError(
      `agents has unknown columns: ${unknown.join(', ')}. Allowed: ${agentColumns.join(', ')} and custom.<key>.`,
    );
  }
  return section;
}

/** The mapping of rows to agents, which has the agent and the time of the results. */
export function agentsMapping(
  section: AgentsSection,
  results: Readonly<Record<string, string>>,
  values: NonNullable<Mapping['values']>,
): Mapping {
  const shared = ['agent_id', 'unit_id', 'dtime'].filter((name) => name in results);
  const columns = Object.fromEntries(shared.map((name) => [name, results[name] ?? '']));
  return { columns: { ...section, ...columns }, values };
}

function isTexts(value: unknown): value is AgentsSection {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}
