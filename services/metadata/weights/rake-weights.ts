import type { Knex } from 'knex';
import { type AgentRecord, emptyRecord } from '../../registry/agents/agent-record.ts';
import { recordAuditEvents } from '../../registry/audit/audit-events.ts';
import { longFieldProblem, type CustomLimits } from '../../registry/organisations/custom-limits.ts';
import { storeReplicates } from '../../registry/weights/weight-replicates.ts';
import { lockHistory } from '../../registry/versions/lock-history.ts';
import { InvalidInput } from '../../shared/errors/invalid-input.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { timezoneNames } from '../../shared/timezones.ts';
import { importAgents } from '../history/import-agents.ts';
import {
  cellKey,
  cellName,
  largestDifference,
  type Margin,
  marginName,
  parseMargins,
  percent,
  roundingOfTotals,
} from './parse-margins.ts';
import {
  type CellOf,
  cellTotals,
  effectiveHouseholds,
  rake,
  type RakedWeights,
  type RakeOptions,
} from './rake.ts';
import { rakeReplicates } from './rake-replicates.ts';

export interface RakeRequest {
  readonly organisationId: number;
  /** The rows of the file, with its header. */
  readonly rows: readonly (readonly string[])[];
  /** Its name, recorded with the change. */
  readonly source: string;
  /** The custom field of the weights. */
  readonly key: string;
  readonly from: WeightsFrom;
  readonly bound: number;
  /** Households whose value is in no cell get no weight; otherwise they are an error. */
  readonly mayLeaveOut: boolean;
  /** Number of replicate weights; 0: none. */
  readonly replicates: number;
  readonly isDryRun: boolean;
  readonly actor: string;
  readonly limits: CustomLimits;
}

/** When the weights begin. */
export interface WeightsFrom {
  /** A date, or a time in UTC. */
  readonly text: string;
  /** For households in a time zone: a date begins at their midnight. */
  readonly in: (timezone: string) => Date;
}

export interface RakeReport {
  readonly households: number;
  readonly leftOut: number;
  readonly rounds: number;
  readonly effectiveHouseholds: { readonly before: number; readonly after: number };
  readonly lowestWeight: number;
  readonly highestWeight: number;
  readonly margins: readonly {
    readonly fields: readonly string[];
    readonly cells: readonly {
      readonly values: readonly string[];
      readonly households: number;
      /** Shares of the households: published, with equal weights, and with the new weights. */
      readonly published: number;
      readonly before: number;
      readonly after: number;
    }[];
  }[];
  /** Published cells without households. */
  readonly emptyCells: readonly string[];
  readonly replicates?: {
    readonly count: number;
    /** Cells that a replicate has no households of, by name. */
    readonly emptied: readonly string[];
    /** Replicates in which a margin does not hold. */
    readonly unfinished: readonly number[];
  };
  /** Agents whose metadata changed; 0 in a dry run. */
  readonly changedAgents: number;
}

/**
 * Fits the households that have metadata at a time to published margins, and writes their weights as metadata from
 * that time on. Throws InvalidInput, and then nothing is stored.
 */
export async function rakeWeights(database: Database, request: RakeRequest): Promise<RakeReport> {
  const { organisationId, key, from, replicates } = request;
  return database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    const margins = parseMargins(request.rows, await customKeysOf(transaction, organisationId));
    checkField(request, margins);
    const starts = timezoneNames.map((timezone) => ({ timezone, time: from.in(timezone) }));
    const all = await readHouseholds(transaction, organisationId, starts, margins);
    const { households, leftOut, placed } = placeHouseholds(all, margins, request);
    const options = { bound: request.bound, tolerance: toleranceOf(margins) };
    const fitted = fit(placed, households.length, options);
    const replicated = replicatesOf(placed, households, fitted, replicates, options);
    const report = {
      ...reportOf(placed, fitted, leftOut.length),
      ...(replicated && {
        replicates: {
          count: replicates,
          emptied: replicated.emptied.map(
            (cell) => `${nameOf(cell)} (replicate ${cell.replicate})`,
          ),
          unfinished: replicated.unfinished,
        },
      }),
    };
    if (request.isDryRun) return report;
    const { historiesChanged: changedAgents } = await importAgents(transaction, {
      organisationId,
      records: [
        ...households.map((household, i) => recordOf(key, household, fitted.weights[i] ?? 0)),
        ...leftOut.map((household) => recordOf(key, household, null)),
      ],
      validFromUtc: null,
      source: request.source,
      limits: request.limits,
      weights: [key],
    });
    await storeReplicates(transaction, {
      organisationId,
      key,
      validFromUtc: new Date(Math.min(...starts.map(({ time }) => time.getTime()))),
      count: replicates,
      factors: households.map((one, i) => ({ ...one, factors: replicated?.factors[i] ?? [] })),
    });
    await recordAuditEvents(transaction, [auditEvent(request, report, changedAgents)]);
    return { ...report, changedAgents };
  });
}

async function customKeysOf(
  transaction: Knex.Transaction,
  organisation_id: number,
): Promise<readonly string[]> {
  return transaction('custom_keys')
    .where({ organisation_id })
    .orderBy('key')
    .pluck<string[]>('key');
}

function checkField({ key, limits }: RakeRequest, margins: readonly Margin[]): void {
  const problem = longFieldProblem(key, 0, limits);
  if (problem !== undefined) throw new InvalidInput(`custom.${key}: ${problem}`);
  if (!margins.some(({ fields }) => fields.includes(`custom.${key}`))) return;
  throw new InvalidInput(`custom.${key} is a field of the margins: the weights need another one`);
}

interface Household {
  readonly agentKey: number;
  readonly agentId: string;
  /** When its weight begins. */
  readonly fromUtc: Date;
  /** In the order of the fields of all margins; null: none. */
  readonly values: readonly (string | null)[];
}

/** The households with their metadata at the start, in the time zone of each. */
async function readHouseholds(
  transaction: Knex.Transaction,
  organisationId: number,
  starts: readonly { readonly timezone: string; readonly time: Date }[],
  margins: readonly Margin[],
): Promise<readonly Household[]> {
  const { rows } = await transaction.raw<{ rows: Household[] }>(
    `with starts as materialized (
       select * from jsonb_to_recordset(cast(:starts as jsonb)) as s (timezone text, time timestamptz)
     ), zones as (
       -- The zone that a household has first on that day.
       select distinct on (agent_key) agent_key, coalesce(timezone, 'UTC') as timezone
       from agent_metadata
       where organisation_id = :organisationId and superseded_at is null
         and valid && tstzrange((select min(time) from starts), (select max(time) from starts), '[]')
       order by agent_key, valid
     )
     select a.id as "agentKey", a.agent_id as "agentId", s.time as "fromUtc", array(
       select case field
         when 'isp' then i.name
         when 'package' then i.name || ':' || p.name
         when 'country' then a.country
         when 'timezone' then m.timezone
         else m.custom ->> substr(field, length('custom.') + 1) end
       from unnest(cast(:fields as text[])) with ordinality as wanted (field, place)
       order by place) as values
     from zones
       join starts s using (timezone)
       join agent_metadata m on m.agent_key = zones.agent_key
         and m.superseded_at is null and m.valid @> s.time
       join agents a on a.id = m.agent_key
       left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id
     order by a.id`,
    { organisationId, starts: JSON.stringify(starts), fields: fieldsOf(margins) },
  );
  return rows;
}

function fieldsOf(margins: readonly Margin[]): string[] {
  return [...new Set(margins.flatMap(({ fields }) => fields))];
}

/** With the cell of each household. */
type PlacedMargin = Margin & { readonly cellOf: Int32Array };

/** Finds the cell of each household in each margin. Those that have none in some margin are left out. */
function placeHouseholds(
  all: readonly Household[],
  margins: readonly Margin[],
  { mayLeaveOut, from }: RakeRequest,
) {
  const fields = fieldsOf(margins);
  const places = margins.map((margin) => {
    const columns = margin.fields.map((field) => fields.indexOf(field));
    // A cell with the total 0 has no households.
    const cells = new Map(
      margin.values.flatMap((values, i) => (margin.shares[i] === 0 ? [] : [[cellKey(values), i]])),
    );
    const own = all.map(({ values }) => columns.map((i) => values[i] ?? null));
    return { margin, own, cells: own.map((values) => cells.get(JSON.stringify(values))) };
  });
  const isPlaced = (_: unknown, i: number) => places.every(({ cells }) => cells[i] !== undefined);
  const households = all.filter(isPlaced);
  if (households.length < all.length && !mayLeaveOut) throw withoutCell(places);
  if (households.length === 0) {
    throw new InvalidInput(
      `No agent has metadata of the fields ${fields.join(', ')} on ${from.text}`,
    );
  }
  return {
    households,
    leftOut: all.filter((household, i) => !isPlaced(household, i)),
    placed: places.map(({ margin, cells }): PlacedMargin => {
      const cellOf = Int32Array.from(cells.filter(isPlaced), (cell) => cell ?? 0);
      return { ...margin, cellOf };
    }),
  };
}

const maxNamed = 10;

function withoutCell(
  places: readonly {
    readonly margin: Margin;
    /** Of each household, in the order of the fields. */
    readonly own: readonly (readonly (string | null)[])[];
    readonly cells: readonly (number | undefined)[];
  }[],
): InvalidInput {
  const named = places.flatMap(({ margin, own, cells }) => {
    const counts = new Map<string, number>();
    own.forEach((values, i) => {
      if (cells[i] !== undefined) return;
      const name = margin.fields
        .map((field, at) => {
          const value = values[at] ?? null;
          return value === null ? `without ${field}` : cellName([field], [value]);
        })
        .join(', ');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    return [...counts].map(([name, count]) => `${name} (${count}), margin ${marginName(margin)}`);
  });
  const more = named.length > maxNamed ? [`and ${named.length - maxNamed} more`] : [];
  return new InvalidInput(
    [
      'Households have values that no row of a margin has, or a row with the total 0. Add the rows, or leave these ' +
        'households without a weight with --leave-out:',
      ...named.slice(0, maxNamed),
      ...more,
    ].join('\n'),
  );
}

/** Of a share, for margins that agree. */
const tolerance = 1e-6;

function toleranceOf(margins: readonly Margin[]): number {
  return largestDifference(margins) <= tolerance ? tolerance : roundingOfTotals;
}

function fit(
  margins: readonly PlacedMargin[],
  count: number,
  options: Omit<RakeOptions, 'start'>,
): RakedWeights<PlacedMargin> {
  const fitted = rake(margins, { start: new Float64Array(count).fill(1), ...options });
  const { worst, rounds, emptyCells } = fitted;
  if (fitted.holds || worst === undefined) return fitted;
  throw new InvalidInput(
    `The margin ${marginName(worst.margin)} does not hold after ${rounds} rounds: ` +
      `${nameOf(worst)} has ${percent(worst.share)} instead of ${percent(worst.wanted)}. Raise --bound, or ` +
      `join cells with few households in the file` +
      (emptyCells.length === 0
        ? ''
        : `. Cells without households: ${emptyCells.map(nameOf).join('; ')}`),
  );
}

function replicatesOf(
  margins: readonly PlacedMargin[],
  households: readonly Household[],
  fitted: RakedWeights<PlacedMargin>,
  count: number,
  options: Omit<RakeOptions, 'start'>,
) {
  if (count === 0) return undefined;
  if (count > households.length) {
    throw new InvalidInput(
      `--replicates ${count} is more than the ${households.length} households`,
    );
  }
  const ids = households.map(({ agentId }) => agentId);
  return rakeReplicates(margins, ids, fitted, count, options);
}

function nameOf({ margin, cell }: CellOf<PlacedMargin>): string {
  return cellName(margin.fields, margin.values[cell] ?? []);
}

function reportOf(
  margins: readonly PlacedMargin[],
  { weights, rounds, emptyCells }: RakedWeights<PlacedMargin>,
  leftOut: number,
): RakeReport {
  const { length: count } = weights;
  const equal = new Float64Array(count).fill(1);
  return {
    households: count,
    leftOut,
    rounds,
    effectiveHouseholds: { before: count, after: effectiveHouseholds(weights) },
    lowestWeight: weights.reduce((lowest, weight) => Math.min(lowest, weight)),
    highestWeight: weights.reduce((highest, weight) => Math.max(highest, weight)),
    margins: margins.map((margin) => {
      const [before, after] = [equal, weights].map((own) => cellTotals(margin, own));
      return {
        fields: margin.fields,
        cells: margin.values.map((values, cell) => ({
          values,
          households: before?.[cell] ?? 0,
          published: margin.shares[cell] ?? 0,
          before: (before?.[cell] ?? 0) / count,
          after: (after?.[cell] ?? 0) / count,
        })),
      };
    }),
    emptyCells: emptyCells.map(nameOf),
    changedAgents: 0,
  };
}

/** Digits that rounding errors do not reach, so that raking again changes nothing. */
const digits = 12;

function recordOf(
  key: string,
  { agentId, fromUtc }: Household,
  weight: number | null,
): AgentRecord {
  const value = weight === null ? null : Number(weight.toPrecision(digits));
  return { ...emptyRecord, agentId, custom: { [key]: value }, validFromUtc: fromUtc };
}

function auditEvent(
  { organisationId, actor, key, source, from, bound, replicates }: RakeRequest,
  { households, leftOut, effectiveHouseholds: effective }: RakeReport,
  changedAgents: number,
) {
  return {
    occurredAt: new Date(),
    organisationId,
    actor,
    action: 'weights.rake',
    target: `custom.${key}`,
    details: {
      source,
      from: from.text,
      bound,
      households,
      leftOut,
      changedAgents,
      replicates,
      effectiveHouseholds: effective.after,
    },
    outcome: 'OK',
  };
}
