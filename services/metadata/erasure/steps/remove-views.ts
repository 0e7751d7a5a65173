import type { Erasure } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { identifierPattern } from '../identifier-pattern.ts';

interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

/** Deletes saved views that name the household. */
export async function removeViews({ database }: ErasureTools, erasure: Erasure): Promise<void> {
  const { id, organisationId, identifiers } = erasure;
  // An erasure that is repeated after a restore, when its identifiers are forgotten.
  if (identifiers === null || identifiers.length === 0) return;
  const pattern = new RegExp(identifierPattern(identifiers), 'i');
  await database.transaction(async (transaction) => {
    // At most 200 of 8 KB. The states are URL-encoded, so that Postgres cannot search them.
    const views = await transaction('saved_views')
      .where({ organisation_id: organisationId })
      .select<StoredView[]>('id', 'name', 'state');
    const naming = views.filter((view) => pattern.test(textOf(view))).map((view) => view.id);
    const removed = await transaction('saved_views').whereIn('id', naming).delete();
    await recordCounts(transaction, id, { removed: { saved_views: removed } });
  });
}

/** The texts of a view as JSON, in which identifierPattern finds the identifiers. */
function textOf({ name, state }: StoredView): string {
  const values = [...new URLSearchParams(state).values()];
  return JSON.stringify([name, ...values.flatMap(wordsOf)]);
}

/** A filter is `["agent","include","wb-1"]`. */
function wordsOf(value: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? [value, ...parsed.map(String)] : [value];
  } catch {
    return [value];
  }
}
