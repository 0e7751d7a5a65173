import type { Knex } from 'knex';
import { validationError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { NumberRanges } from '../request/parse-context.ts';

/** The metadata of an organisation as it was recorded at a moment. */
export interface KnownMoment {
  readonly organisationId: number;
  readonly moment: Date;
}

interface HistoryAt {
  /** The last change up to the moment; 0 if there is none. */
  readonly changeId: number;
  /** History before this time is incomplete, or the organisation did not exist. */
  readonly keptSince: Date;
}

// recorded_at, shortened_at and superseded_at are set by one statement per change, so a moment sees all of a change or
// nothing. Two conditions, because each has an index.
const isKnown = `organisation_id = :organisationId and recorded_at <= :moment`;
const isReplaced = `${isKnown} and superseded_at > :moment`;
const isCurrent = `${isKnown} and superseded_at is null`;

export async function historyAt(database: Database, known: KnownMoment): Promise<HistoryAt> {
  const { rows } = await database.raw<{ rows: [HistoryAt] }>(
    `select greatest(o.created_at, h.kept_since) as "keptSince",
            coalesce((
              select id from metadata_changes where organisation_id = o.id and recorded_at <= :moment
              order by recorded_at desc, id desc limit 1), 0) as "changeId"
     from organisations o cross join metadata_history_start h where o.id = :organisationId`,
    bindings(known),
  );
  return rows[0];
}

/** Custom keys of the metadata that was replaced since. Those of the rest are in use now. */
export async function replacedCustomKeys(
  database: Database,
  known: KnownMoment,
): Promise<readonly string[]> {
  const { rows } = await database.raw<{ rows: { key: string }[] }>(
    `select distinct jsonb_object_keys(custom) as key from agent_metadata where ${isReplaced}`,
    bindings(known),
  );
  return rows.map(({ key }) => key);
}

/** Of these custom keys, those with numbers, and the lowest of each. */
export async function knownCustomNumbers(
  database: Database,
  known: KnownMoment,
  keys: readonly string[],
): Promise<NumberRanges> {
  const { rows } = await database.raw<{ rows: { key: string; lowest: string }[] }>(
    `select key, cast(min(number) as text) as lowest
     from (${knownRows}) as known
       cross join unnest(cast(:keys as text[])) as key
       cross join lateral (
         select case when custom ->> key ~ :decimal then cast(custom ->> key as numeric) end as number
       ) as value
     where abs(number) <= cast(:largest as numeric)
     group by key`,
    { ...bindings(known), keys: [...keys], decimal, largest: String(Number.MAX_VALUE) },
  );
  return new Map(rows.map(({ key, lowest }) => [key, { lowest: Number(lowest) }]));
}

interface ReadOptions {
  readonly fill: string;
  readonly maxPeriods: number;
  /** Counts the rows that were read. */
  readonly read: { rowCount: number };
  readonly signal: AbortSignal;
}

/** Limits memory use and the time for which a chunk occupies the event loop. */
const bytesPerFetch = 1024 * 1024;
const maxRowsPerFetch = 2_000;
/** More than a row without custom values; and JSON as text may be twice as long as stored. */
const bytesPerRow = 500;
const textFactor = 2;

/**
 * Yields the periods in chunks of lines of JSONCompactEachRow, each starting with the organisation and `fill`.
 * Postgres formats the lines, so that no row is parsed here. Throws a VALIDATION_FAIL if there are too many.
 */
export async function* readKnownLines(
  transaction: Knex.Transaction,
  known: KnownMoment,
  { fill, maxPeriods, read, signal }: ReadOptions,
): AsyncGenerator<string> {
  const size = await transaction.raw<{ rows: [{ periods: number; maxCustomBytes: number }] }>(
    `select count(*)::integer as periods,
            coalesce(max(octet_length(cast(custom as text))), 0) as "maxCustomBytes"
     from (${knownRows}) as known`,
    bindings(known),
  );
  const [{ periods, maxCustomBytes }] = size.rows;
  if (periods > maxPeriods) {
    throw validationError({
      knownAt: [
        `Your organisation had ${periods} periods of metadata at that time; the maximum for knownAt is ${maxPeriods}. Send the request without knownAt.`,
      ],
    });
  }
  const fitting = Math.floor(bytesPerFetch / (bytesPerRow + textFactor * maxCustomBytes));
  const rowsPerFetch = Math.min(Math.max(1, fitting), maxRowsPerFetch);
  await transaction.raw(`declare known_periods no scroll cursor for ${periodLines}`, {
    ...bindings(known),
    fill,
    lastSecond,
  });
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await transaction.raw<{ rows: { line: string }[] }>(
      `fetch ${rowsPerFetch} from known_periods`,
    );
    if (rows.length === 0) return;
    read.rowCount += rows.length;
    // JSON escapes line feeds within values: each line is one row.
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
}

// What ClickHouse reads as a finite number. Longer exponents are 0 or infinite there; numeric has no place for them.
const decimal = '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$';

/** ClickHouse's DateTime ends at 2106-02-07 06:28:15. */
const lastSecond = 2 ** 32 - 1;

const knownColumns = `agent_key, case when shortened_at > :moment then longer_valid else valid end as valid,
    isp_id, package_id, timezone, custom`;

const knownRows = `
  select ${knownColumns} from agent_metadata where ${isCurrent}
  union all
  select ${knownColumns} from agent_metadata where ${isReplaced}`;

// The gaps between the periods of an agent are rows without values, so that each period ends where the next
// begins. As in the published metadata, custom values are text, with a list of the keys of numbers.
const periodLines = `
  with known as (${knownRows}),
  periods as (
    select * from known
    union all
    select agent_key, unnest('{(,)}'::tstzmultirange - range_agg(valid)), null, null, null, '{}'
    from known group by agent_key
  )
  select cast(json_build_array(cast(:organisationId as integer), cast(:fill as text), agent_key,
           greatest(coalesce(extract(epoch from lower(valid))::bigint, 0), 0),
           i.name, i.name || ':' || k.name, timezone, custom_map, custom_number_keys) as text) as line
  from periods p
    left join isps i on i.id = p.isp_id
    left join packages k on k.id = p.package_id
    cross join lateral (
      select coalesce(json_object_agg(key, value #>> '{}'), '{}') as custom_map,
             coalesce(json_agg(key) filter (where jsonb_typeof(value) = 'number'), '[]')
               as custom_number_keys
      from jsonb_each(custom)
    ) as custom_columns
  where coalesce(upper(valid) > to_timestamp(0), true)
    and coalesce(lower(valid) <= to_timestamp(:lastSecond), true)`;

function bindings({ organisationId, moment }: KnownMoment) {
  return { organisationId, moment };
}
