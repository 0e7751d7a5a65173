import type { Database } from '../../shared/postgres/connect-postgres.ts';

export type GrantKind = 'metric' | 'test';

/** What an organisation may use of a kind: everything, or exactly these keys. Without keys: nothing. */
export type Granted = 'all' | readonly string[];

/** `only` replaces the keys: with none it removes all access of the kind. */
export type GrantChange =
  | { readonly action: 'all' }
  | { readonly action: 'only' | 'add' | 'remove'; readonly keys: readonly string[] };

/** The access of an organisation by kind, with sorted keys. */
export type Grants = Readonly<Record<GrantKind, Granted>>;

export async function grantsOf(database: Database, organisationId: number): Promise<Grants> {
  // One statement, so that a change at the same time is seen whole or not at all.
  const rows = await database('organisations as o')
    .leftJoin('grants as g', 'g.organisation_id', 'o.id')
    .where({ 'o.id': organisationId })
    .orderBy('g.key')
    .select<AccessRow[]>('o.all_metrics', 'o.all_tests', 'g.kind', 'g.key');
  const granted = (kind: GrantKind): Granted =>
    rows.some((row) => row[everythingColumn[kind]])
      ? 'all'
      : rows.filter((row) => row.kind === kind).map(({ key }) => key);
  return { metric: granted('metric'), test: granted('test') };
}

/** Changes the access of an organisation to one kind, and returns it. */
export async function changeGrants(
  database: Database,
  organisationId: number,
  kind: GrantKind,
  change: GrantChange,
): Promise<Granted> {
  return database.transaction(async (transaction) => {
    // Two changes at the same time would each write what they have read.
    await transaction('organisations').where({ id: organisationId }).forUpdate().first('id');
    const granted = changed((await grantsOf(transaction, organisationId))[kind], kind, change);
    await storeGrants(transaction, organisationId, kind, granted);
    return granted;
  });
}

/** A row per grant, or one row without kind and key. */
interface AccessRow {
  readonly all_metrics: boolean;
  readonly all_tests: boolean;
  readonly kind: GrantKind | null;
  readonly key: string;
}

const everythingColumn = { metric: 'all_metrics', test: 'all_tests' } as const;

function changed(before: Granted, kind: GrantKind, change: GrantChange): Granted {
  if (change.action === 'all') return 'all';
  if (change.action === 'only') return sorted(change.keys);
  if (before === 'all') {
    throw new Error(
      `The organisation has every ${kind}. Limit it with netpanel grant ${kind} only or none.`,
    );
  }
  return change.action === 'add'
    ? sorted([...before, ...change.keys])
    : before.filter((key) => !change.keys.includes(key));
}

function sorted(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].sort();
}

async function storeGrants(
  transaction: Database,
  organisationId: number,
  kind: GrantKind,
  granted: Granted,
): Promise<void> {
  const keys = granted === 'all' ? [] : granted;
  await transaction('organisations')
    .where({ id: organisationId })
    .update({ [everythingColumn[kind]]: granted === 'all' });
  await transaction('grants').where({ organisation_id: organisationId, kind }).delete();
  if (keys.length === 0) return;
  await transaction('grants').insert(
    keys.map((key) => ({ organisation_id: organisationId, kind, key })),
  );
}
