import { allowErasedId } from '../../registry/erased-ids.ts';
import { findOrganisation } from '../../registry/organisations.ts';
import { parseOptions, required } from '../arguments.ts';
import { UsageError } from '../command.ts';
import { printLine } from '../print-line.ts';
import { withDatabase } from '../with-stores.ts';

/** `netpanel agents allow`: the exit code is 1 if an id was not erased. */
export async function allowAgents(args: readonly string[]): Promise<number> {
  const { values, positionals: ids } = parseOptions(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  if (ids.length === 0) throw new UsageError('ID is missing');
  return withDatabase(async (database) => {
    const organisationId = await findOrganisation(database, org);
    let exitCode = 0;
    for (const id of ids) {
      const isAllowed = await allowErasedId(database, organisationId, id);
      printLine(isAllowed ? `${id} can be added again` : `${id} was not erased`);
      if (!isAllowed) exitCode = 1;
    }
    return exitCode;
  });
}
