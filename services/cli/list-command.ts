import { findOrganisation } from '../registry/organisations.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseOptions, rejectExtraArguments, required } from './arguments.ts';
import { type Listed, printList } from './print-list.ts';
import { withDatabase } from './with-stores.ts';

/** The subcommand `list --org NAME [--json]` over one kind of an organisation's rows. */
export function listCommand<Column extends string>(
  columns: readonly Column[],
  listRows: (database: Database, organisationId: number) => Promise<Record<Column, Listed>[]>,
): (args: readonly string[]) => Promise<number> {
  return async (args) => {
    const { values, positionals } = parseOptions(args, {
      org: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    rejectExtraArguments(positionals);
    const org = required(values.org, 'org');
    const rows = await withDatabase(async (database) =>
      listRows(database, await findOrganisation(database, org)),
    );
    printList(columns, rows, values.json);
    return 0;
  };
}
