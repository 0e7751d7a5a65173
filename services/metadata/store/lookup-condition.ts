import { normaliseId } from '../../registry/normalise-id.ts';
import { isPlain, plainId } from '../../registry/plain-id.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';

interface LookupCondition {
  /** Identifies the SQL, which does not depend on the value. */
  readonly name: string;
  /** A condition on an agent `a`; uses the binding :organisationId. */
  readonly sql: string;
  readonly bindings: Readonly<Record<string, string | number>>;
}

/**
 * The condition for the one agent of a lookup. Clients may leave out the punctuation of an id; then it
 * must be the only id with this plain form.
 */
export function lookupCondition({ column, value }: AgentLookup): LookupCondition {
  if (column === 'unit_id') {
    return { name: column, sql: 'a.unit_id = :value', bindings: { value } };
  }
  const exact = `select id from agents
    where organisation_id = :organisationId and ${column}_normalised = :normalised`;
  const normalised = normaliseId(value);
  if (!isPlain(value)) return { name: column, sql: `a.id = (${exact})`, bindings: { normalised } };
  const onlyPlain = `select min(id) from agents
    where organisation_id = :organisationId and ${column}_plain = :plain
    having count(*) = 1`;
  return {
    name: `plain ${column}`,
    // A subquery of its own: under row-level security, Postgres uses no index for a bare coalesce().
    sql: `a.id = (select coalesce((${exact}), (${onlyPlain})))`,
    bindings: { normalised, plain: plainId(value) },
  };
}
