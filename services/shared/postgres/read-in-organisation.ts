import type { Knex } from 'knex';
import type { Client } from 'pg';
import type { Database } from './connect-postgres.ts';
import { type NamedStatement, OrganisationQuery, type Row } from './organisation-query.ts';

type BoundValue = string | number | Date | null;

/** A statement with named bindings: `select name from agents where id = :id`. */
export interface BoundStatement {
  /** Identifies the SQL: Postgres plans it once per connection. At most 63 characters. */
  readonly name: string;
  readonly sql: string;
  readonly bindings: Readonly<Record<string, BoundValue>>;
}

/** The rows of each statement. */
type Rows<T extends readonly object[]> = { readonly [I in keyof T]: readonly T[I][] };

/**
 * Reads rows of one organisation, like inOrganisation, in one round trip instead of four or more. The
 * statements run in order, in one transaction, so they cannot depend on each other's results.
 */
export async function readInOrganisation<T extends readonly object[]>(
  database: Database,
  organisationId: number,
  statements: { readonly [I in keyof T]: BoundStatement },
): Promise<Rows<T>> {
  const client = database.client as Knex.Client;
  const named = statements.map((statement) => withPositions(database, statement));
  const connection = (await client.acquireConnection()) as Client;
  try {
    const rows = await new Promise<readonly Row[][]>((resolve, reject) => {
      connection.query(new OrganisationQuery(organisationId, named, resolve, reject));
    });
    return rows as unknown as Rows<T>;
  } finally {
    await client.releaseConnection(connection);
  }
}

/** `:id` becomes `$1`. */
function withPositions(
  database: Database,
  { name, sql, bindings }: BoundStatement,
): NamedStatement {
  const native = database.raw(sql, bindings).toSQL().toNative();
  return { name, text: native.sql, values: (native.bindings as BoundValue[]).map(asText) };
}

function asText(value: BoundValue): string | null {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}
