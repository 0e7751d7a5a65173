import { type TestKey, testTable } from '../../catalog/test-tables.ts';
import { agentColumns } from '../../registry/agents/agent-record.ts';
import { unknownAgentColumns } from './parse-agent-records.ts';
import { MappingError } from '../mapping-error.ts';
import { isTexts } from '../mapping/mapping-file.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { MappingRequest } from '../mapping/complete-mapping.ts';

/** Expressions by column of `netpanel agents import`: isp, package, timezone, custom.tier. */
export type AgentsSection = Readonly<Record<string, string>>;

/** What rows say about agents: the section `agents` of a mapping file, and --map. Throws a MappingError. */
export function agentsSection({ file, agents }: MappingRequest): AgentsSection | undefined {
  const ofFile = file?.agents ?? {};
  if (!isTexts(ofFile)) {
    throw new MappingError('agents must be an object such as {"isp": "provider"}');
  }
  const section = { ...ofFile, ...agents };
  if (Object.keys(section).length === 0) return undefined;
  const unknown = unknownAgentColumns(Object.keys(section));
  if (unknown.length > 0) {
    throw new MappingError(
      `agents has unknown columns: ${unknown.join(', ')}. Allowed: ${agentColumns.join(', ')} and custom.<key>.`,
    );
  }
  return section;
}

/** The custom keys that an expression with `weight()` fills. */
export function weightKeys(section: AgentsSection): readonly string[] {
  return Object.entries(section)
    .filter(([column, text]) => column.startsWith('custom.') && /\bweight\s*\(/.test(text))
    .map(([column]) => column.slice('custom.'.length));
}

/** The mapping of rows to agents, which has the agent and the time of the results of a test. */
export function agentsMapping(
  section: AgentsSection,
  { file, columns: ofMap }: MappingRequest,
  test: TestKey,
): Mapping {
  const shared = ['agent_id', 'unit_id', 'dtime'];
  // Without a mapping file, columns of these names are taken as they are.
  const sameNames = Object.fromEntries(shared.map((name) => [name, `optional(${name})`]));
  const results: Readonly<Record<string, string>> = { ...(file?.columns ?? sameNames), ...ofMap };
  const columns = shared.flatMap((name) => (name in results ? [[name, results[name] ?? '']] : []));
  const kind = testTable(test).agents === 'cells' ? { kind: "'cell'" } : {};
  return {
    columns: { ...kind, ...section, ...(Object.fromEntries(columns) as AgentsSection) },
    values: file?.values ?? {},
    blank: file?.blank ?? [],
  };
}
