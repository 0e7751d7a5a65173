import type { Knex } from 'knex';
import type { AgentRecord } from '../../registry/agents/agent-record.ts';
import { recordAuditEvents } from '../../registry/audit/audit-events.ts';
import { longFieldProblem, type CustomLimits } from '../../registry/organisations/custom-limits.ts';
import { storeReplicates } from '../../registry/weights/weight-replicates.ts';
import { lockHistory } from '../../registry/versions/lock-history.ts';
import { InvalidInput } from '../../shared/errors/invalid-input.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
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
  cellTotals,
  effectiveHouseholds,
  rake,
  type RakedMargin,
  type RakedWeights,
} from './rake.ts';
import { type RakedReplicates, rakeReplicates } from './rake-replicates.ts';

export interface RakeRequest {
  readonly organisationId: number;
  /** The rows of the file, with its header. */
  readonly rows: readonly (readonly string[])[];
  /** Its name, recorded with the change. */
  readonly source: string;
  /** The custom field of the weights. */
  readonly key: string;
  readonly fromUtc: Date;
  readonly bound: number;
  /** Households whose value is in no cell get no weight; otherwise they are an error. */
  readonly mayLeaveOut: boolean;
  /** Number of replicate weights; 0: none. */
  readonly replicates: number;
  readonly isDryRun: boolean;
  readonly actor: string;
  readonly limits: CustomLimits;
}

export interface RakeReport {
  readonly households: number;
  readonly leftOut: number;
  readonly rounds: number;
  readonly effectiveHouseholds: { readonly before: number; readonly after: number };
  readonly lowestWeight: number;
  readonly highestWeight: number;
  readonly margins: readonly RakedMarginReport[];
  /** Published cells without households. */
  readonly emptyCells: readonly string[];
  readonly replicates?: ReplicatesReport;
  /** Agents whose metadata changed; 0 in a dry run. */
  readonly changedAgents: number;
}

interface ReplicatesReport {
  readonly count: number;
  /** Cells that a replicate has no households of, by name. */
  readonly emptied: readonly string[];
  /** Replicates in which a margin does not hold. */
  readonly unfinished: readonly number[];
}

interface RakedMarginReport {
  readonly fields: readonly string[];
  readonly cells: readonly {
    readonly values: readonly string[];
    readonly households: number;
    /** Shares of the households: published, with equal weights, and with the new weights. */
    readonly published: number;
    readonly before: number;
    readonly after: number;
  }[];
}

/**
 * Fits the households that have metadata at a time to published margins, and writes their weights as metadata from
 * that time on. Throws InvalidInput, and then nothing is stored.
 */
export async function rakeWeights(database: Database, request: RakeRequest): Promise<RakeReport> {
  return database.transaction(async (transaction) => {
    await lockHistory(transaction, request.organisationId);
    const margins = parseMargins(request.rows, await customKeysOf(transaction, request));
    checkField(request, margins);
    const all = await readHouseholds(transaction, request, margins);
    const { households, leftOut, raked } = placeHouseholds(all, margins, request);
    const fitted = fit(raked, margins, households.length, request);
    const replicated = replicatesOf(raked, margins, households, fitted, request);
    const report = {
      ...reportOf(margins, raked, fitted, leftOut.length),
      ...(replicated && { replicates: replicatesReport(margins, replicated, request) }),
    };
    if (request.isDryRun) return report;
    const changedAgents = await store(transaction, request, [
      ...households.map(({ agentId }, i) => recordOf(request.key, agentId, fitted.weights[i] ?? 0)),
      ...leftOut.map(({ agentId }) => recordOf(request.key, agentId, null)),
    ]);
    await storeReplicates(transaction, {
      organisationId: request.organisationId,
      key: request.key,
      validFromUtc: request.fromUtc,
      count: request.replicates,
      factors: (replicated?.factors ?? []).map((factors, i) => ({
        agentKey: households[i]?.agentKey ?? 0,
        factors,
      })),
    });
    await recordAuditEvents(transaction, [auditEvent(request, report, changedAgents)]);
    return { ...report, changedAgents };
  });
}

async function customKeysOf(
  transaction: Knex.Transaction,
  { organisationId }: RakeRequest,
): Promise<readonly string[]> {
  return transaction('custom_keys')
    .where({ organisation_id: organisationId })
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
  /** In the order of the fields of all margins; null: none. */
  readonly values: readonly (string | null)[];
}

async function readHouseholds(
  transaction: Knex.Transaction,
  { organisationId, fromUtc }: RakeRequest,
  margins: readonly Margin[],
): Promise<readonly Household[]> {
  const { rows } = await transaction.raw<{ rows: Household[] }>(
    `select a.id as "agentKey", a.agent_id as "agentId", array(
       select case field
         when 'isp' then i.name
         when 'package' then i.name || ':' || p.name
         when 'country' then a.country
         when 'timezone' then m.timezone
         else m.custom ->> substr(field, length('custom.') + 1) end
       from unnest(cast(:fields as text[])) with ordinality as wanted (field, place)
       order by place) as values
     from agent_metadata m
       join agents a on a.id = m.agent_key
       left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id
     where m.organisation_id = :organisationId and m.superseded_at is null
       and m.valid @> cast(:fromUtc as timestamptz)
     order by a.id`,
    { organisationId, fromUtc, fields: fieldsOf(margins) },
  );
  return rows;
}

function fieldsOf(margins: readonly Margin[]): string[] {
  return [...new Set(margins.flatMap(({ fields }) => fields))];
}

interface PlacedHouseholds {
  readonly households: readonly Household[];
  /** Their value is in no cell of some margin. */
  readonly leftOut: readonly Household[];
  readonly raked: readonly RakedMargin[];
}

/** Finds the cell of each household in each margin. */
function placeHouseholds(
  all: readonly Household[],
  margins: readonly Margin[],
  { mayLeaveOut, fromUtc }: RakeRequest,
): PlacedHouseholds {
  const fields = fieldsOf(margins);
  const places = margins.map((margin) => {
    const cells = new Map(
      // A cell with the total 0 has no households.
      margin.cells.flatMap(({ values, share }, i) =>
        share === 0 ? [] : [[cellKey(values), i] as const],
      ),
    );
    const columns = margin.fields.map((field) => fields.indexOf(field));
    return all.map(({ values }) => cells.get(JSON.stringify(columns.map((i) => values[i]))));
  });
  const isPlaced = (_: unknown, i: number) => places.every((cells) => cells[i] !== undefined);
  const households = all.filter(isPlaced);
  const leftOut = all.filter((household, i) => !isPlaced(household, i));
  if (leftOut.length > 0 && !mayLeaveOut) throw withoutCell(all, margins, places);
  if (households.length === 0) {
    throw new InvalidInput(
      `No agent has metadata of the fields ${fields.join(', ')} on ${fromUtc.toISOString()}`,
    );
  }
  const raked = margins.map(({ cells }, m) => ({
    shares: cells.map(({ share }) => share),
    cellOf: Int32Array.from((places[m] ?? []).filter(isPlaced), (cell) => cell ?? 0),
  }));
  return { households, leftOut, raked };
}

const maxNamed = 10;

function withoutCell(
  all: readonly Household[],
  margins: readonly Margin[],
  places: readonly (readonly (number | undefined)[])[],
): InvalidInput {
  const fields = fieldsOf(margins);
  const named = margins.flatMap((margin, m) => {
    const counts = new Map<string, number>();
    all.forEach(({ values }, i) => {
      if (places[m]?.[i] !== undefined) return;
      const own = margin.fields.map((field) => ({ field, value: values[fields.indexOf(field)] }));
      const name = own
        .map(({ field, value }) =>
          value == null ? `without ${field}` : cellName([field], [value]),
        )
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

function fit(
  raked: readonly RakedMargin[],
  margins: readonly Margin[],
  count: number,
  { bound }: RakeRequest,
): RakedWeights {
  const start = new Float64Array(count).fill(1);
  const fitted = rake(raked, { start, bound, tolerance: toleranceOf(margins) });
  if (fitted.holds) return fitted;
  const { margin, share, wanted } = fitted.worst;
  const empty = emptyCells(margins, fitted);
  throw new InvalidInput(
    `The margin ${marginName(margins[margin] ?? { fields: [] })} does not hold after ${fitted.rounds} rounds: ` +
      `${nameOfCell(margins, fitted.worst)} has ${percent(share)} instead of ${percent(wanted)}. Raise --bound, or ` +
      `join cells with few households in the file` +
      (empty.length === 0 ? '' : `. Cells without households: ${empty.join('; ')}`),
  );
}

function toleranceOf(margins: readonly Margin[]): number {
  return largestDifference(margins) <= tolerance ? tolerance : roundingOfTotals;
}

function replicatesOf(
  raked: readonly RakedMargin[],
  margins: readonly Margin[],
  households: readonly Household[],
  fitted: RakedWeights,
  { replicates, bound }: RakeRequest,
): RakedReplicates | undefined {
  if (replicates === 0) return undefined;
  if (replicates > households.length) {
    throw new InvalidInput(
      `--replicates ${replicates} is more than the ${households.length} households`,
    );
  }
  const ids = households.map(({ agentId }) => agentId);
  return rakeReplicates(raked, ids, fitted, replicates, { bound, tolerance: toleranceOf(margins) });
}

function replicatesReport(
  margins: readonly Margin[],
  { emptied, unfinished }: RakedReplicates,
  { replicates }: RakeRequest,
): ReplicatesReport {
  return {
    count: replicates,
    emptied: emptied.map(
      ({ replicate, cell }) => `${nameOfCell(margins, cell)} (replicate ${replicate})`,
    ),
    unfinished,
  };
}

function nameOfCell(
  margins: readonly Margin[],
  { margin, cell }: RakedWeights['emptyCells'][number],
): string {
  const { fields = [], cells = [] } = margins[margin] ?? {};
  return cellName(fields, cells[cell]?.values ?? []);
}

function emptyCells(margins: readonly Margin[], fitted: RakedWeights): readonly string[] {
  return fitted.emptyCells.map((cell) => nameOfCell(margins, cell));
}

function reportOf(
  margins: readonly Margin[],
  raked: readonly RakedMargin[],
  fitted: RakedWeights,
  leftOut: number,
): RakeReport {
  const { weights, rounds } = fitted;
  const count = weights.length;
  return {
    households: count,
    leftOut,
    rounds,
    effectiveHouseholds: { before: count, after: effectiveHouseholds(weights) },
    lowestWeight: weights.reduce((lowest, weight) => Math.min(lowest, weight)),
    highestWeight: weights.reduce((highest, weight) => Math.max(highest, weight)),
    margins: margins.map(({ fields, cells }, m) => {
      const margin = raked[m] ?? { shares: [], cellOf: new Int32Array() };
      const before = cellTotals(margin, new Float64Array(count).fill(1));
      const after = cellTotals(margin, weights);
      return {
        fields,
        cells: cells.map(({ values, share }, cell) => ({
          values,
          households: before[cell] ?? 0,
          published: share,
          before: (before[cell] ?? 0) / count,
          after: (after[cell] ?? 0) / count,
        })),
      };
    }),
    emptyCells: emptyCells(margins, fitted),
    changedAgents: 0,
  };
}

/** Digits that rounding errors do not reach, so that raking again changes nothing. */
const digits = 12;

function recordOf(key: string, agentId: string, weight: number | null): AgentRecord {
  return {
    agentId,
    unitId: null,
    macAddress: null,
    kind: null,
    base: null,
    country: null,
    isp: null,
    packageName: null,
    timezone: null,
    custom: { [key]: weight === null ? null : Number(weight.toPrecision(digits)) },
    statesPackage: false,
    statesTimezone: false,
  };
}

async function store(
  transaction: Knex.Transaction,
  { organisationId, key, fromUtc, source, limits }: RakeRequest,
  records: readonly AgentRecord[],
): Promise<number> {
  const imported = await importAgents(transaction, {
    organisationId,
    records,
    validFromUtc: fromUtc,
    source,
    limits,
    weights: [key],
  });
  return imported.historiesChanged;
}

function auditEvent(
  { organisationId, actor, key, source, fromUtc, bound, replicates }: RakeRequest,
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
      from: fromUtc.toISOString(),
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
