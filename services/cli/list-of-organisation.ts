import type { Database } from '../shared/postgres/connect-postgres.ts';
import { noMoreWords, parseWords, required } from './arguments.ts';
import { findOrganisation } from './find-organisation.ts';
import { type Listed, printList } from './print-list.ts';
import { withDatabase } from './with-stores.ts';

/** A subcommand `list --org NAME [--json]`: what an organisation has of something. */
export function listOfOrganisation<Column extends string>(
  columns: readonly Column[],
  rowsOf: (database: Database, organisationId: number) => PromiseLike<Record<Column, Listed>[]>,
): (args: readonly string[]) => Promise<number> {
  return async (args) => {
    const { values, positionals } = parseWords(args, {
      org: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    const org = required(values.org, 'org');
    const rows = await withDatabase(async (database) =>
      rowsOf(database, await findOrganisation(database, org)),
    );
    printList(columns, rows, values.json);
    return 0;
  };
}
