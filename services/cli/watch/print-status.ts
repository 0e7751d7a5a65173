import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { printList } from '../print-list.ts';

/** Lists the files of an organisation, the last ones first. */
export async function printStatus(
  database: Database,
  { organisationId, place, limit, isJson }: StatusOptions,
): Promise<void> {
  const rows = await database('watched_files')
    .where({ organisation_id: organisationId, ...(place === undefined ? {} : { place }) })
    .orderBy([{ column: 'started_at', order: 'desc' }, 'place', 'name'])
    .limit(limit)
    .select<StatusRow[]>(
      'place',
      'name as file',
      'status',
      'test',
      database.raw(`cast(summary ->> 'rowsRead' as bigint) as rows`),
      database.raw(`cast(coalesce(summary ->> 'loaded', summary ->> 'sent') as bigint) as loaded`),
      database.raw(`cast(summary ->> 'rejected' as bigint) as rejected`),
      'attempts',
      'ended_at as ended',
      'next_attempt_at as next attempt',
      'message',
    );
  printList(columns, rows, isJson);
}

export interface StatusOptions {
  readonly organisationId: number;
  /** undefined: all places. */
  readonly place: string | undefined;
  readonly limit: number;
  readonly isJson: boolean;
}

const columns = [
  'place',
  'file',
  'status',
  'test',
  'rows',
  'loaded',
  'rejected',
  'attempts',
  'ended',
  'next attempt',
  'message',
] as const;

type StatusRow = Record<(typeof columns)[number], string | number | Date | null>;
