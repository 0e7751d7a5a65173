/**
 * Comparisons of agent ids and MAC addresses ignore punctuation and case: `AA:bb-01` becomes aabb01.
 * Postgres generates agent_id_normalised and mac_address_normalised by the same rule:
 * lower(regexp_replace(agent_id, '[^A-Za-z0-9]', '', 'g')).
 */
export function normaliseId(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
