import { listAuditEvents } from '../registry/audit/audit-events.ts';
import { findOrganisation } from '../registry/organisations/organisations.ts';
import { instant, parseOptions, rejectExtraArguments } from './arguments.ts';
import { wholeNumber } from '../shared/errors/usage-error.ts';
import type { Command } from './command.ts';
import { printList } from './print.ts';
import { withStores } from './with-stores.ts';

export const auditCommand: Command = {
  about: 'List changes of tokens, grants, the registry and metadata, and refused requests',
  usage: `netpanel audit [--org NAME] [--since 2026-11-01] [--action ACTION] [--limit 1000] [--json]

  --since   date (or UTC time) of the oldest event; default: 30 days ago
  --action  such as token.create, or token for all actions on tokens; the others are organisation, grant,
            isp, package, agents, metadata and request
  --limit   number of events, the newest first; default: 1000

Queries, listings, exports and downloads are in the table query_audit in ClickHouse.`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      org: { type: 'string' },
      since: { type: 'string' },
      action: { type: 'string' },
      limit: { type: 'string', default: '1000' },
      json: { type: 'boolean', default: false },
    });
    rejectExtraArguments(positionals);
    const { org, action } = values;
    const limit = wholeNumber(values.limit, 'limit');
    const since =
      values.since === undefined
        ? new Date(Date.now() - thirtyDaysMs)
        : instant(values.since, 'since');
    const events = await withStores(async ({ database }) =>
      listAuditEvents(database, {
        organisationId: org === undefined ? undefined : await findOrganisation(database, org),
        since,
        action,
        limit,
      }),
    );
    const rows = events.map(({ occurredAt, details, organisation, actor, target, ...event }) => ({
      time: occurredAt,
      organisation,
      actor,
      action: event.action,
      target,
      outcome: event.outcome,
      details: JSON.stringify(details),
    }));
    printList(columns, rows, values.json);
    return 0;
  },
};

const thirtyDaysMs = 30 * 86_400_000;
const columns = ['time', 'organisation', 'actor', 'action', 'target', 'outcome', 'details'];
