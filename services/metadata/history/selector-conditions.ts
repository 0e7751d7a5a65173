import { normaliseId } from '../../registry/agents/normalise-id.ts';
import type { AgentSelector } from '../request/metadata-change.ts';

interface Conditions {
  readonly sql: string;
  readonly bindings: Readonly<Record<string, string | number>>;
}

/** The selector as SQL conditions on an agent `a` and its current metadata `m`. */
export function selectorConditions(selector: AgentSelector): Conditions {
  const sql: string[] = [];
  const bindings: Record<string, string | number> = {};
  const equal = (column: string, name: string, value: string | number | undefined) => {
    if (value === undefined) return;
    sql.push(`${column} = :${name}`);
    bindings[name] = value;
  };
  equal(
    'a.agent_id_normalised',
    'selectedAgentId',
    selector.agentId && normaliseId(selector.agentId),
  );
  equal('a.unit_id', 'selectedUnitId', selector.unitId);
  equal(
    'a.mac_address_normalised',
    'selectedMac',
    selector.macAddress && normaliseId(selector.macAddress),
  );
  equal('m.timezone', 'selectedTimezone', selector.timezone);
  if (selector.isp !== undefined) {
    sql.push(
      'm.isp_id = (select id from isps where organisation_id = :organisationId and name = :selectedIsp)',
    );
    bindings.selectedIsp = selector.isp;
  }
  if (selector.package === 'unknown') sql.push('false');
  else equal('m.package_id', 'selectedPackageId', selector.package);
  if (selector.custom !== undefined) {
    // As text, like the filters of queries: 5 also selects "5".
    sql.push(`not exists (
      select from jsonb_each_text(cast(:selectedCustom as jsonb)) as selected
      where m.custom ->> selected.key is distinct from selected.value)`);
    bindings.selectedCustom = JSON.stringify(selector.custom);
  }
  return { sql: sql.join(' and '), bindings };
}
