import type { Knex } from 'knex';
import type { CustomLimits } from '../../registry/organisations/custom-limits.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { validationError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import type { ChangeStep, MetadataChange, NewMetadata } from '../request/metadata-change.ts';
import { type ChangeToShow, type DryRunChange, dryRunChanges } from '../agents/changed-periods.ts';
import { checkCustom } from './check-custom.ts';
import { lockHistory } from '../../registry/versions/lock-history.ts';
import { overriddenChanges, type OverriddenChanges } from './overridden-changes.ts';
import { customBytes, metadataVersion, rewriteHistory } from './rewrite-history.ts';
import { selectorConditions } from './selector-conditions.ts';

export interface AppliedChange {
  readonly matchedAgents: number;
  /** False if all values were already the same: nothing is written. */
  readonly changedHistory: boolean;
  /** The version that contains the change; the current one if nothing changed. */
  readonly metadataVersion: number;
  /** Later changes of the same fields that this one has replaced. */
  readonly overridden: OverriddenChanges;
  /** Of a dry run: what the change does to the first of its agents. */
  readonly dryRun?: readonly DryRunChange[];
}

/** The caller, the request body and the time of a change. */
export interface ChangeOrigin {
  readonly caller: Caller;
  readonly body: unknown;
  readonly now: Date;
  /** How long to wait for another change of the organisation; default: no timeout. */
  readonly lockTimeoutMs?: number;
  readonly limits: CustomLimits;
  /** Everything is done and checked as usual, and then rolled back. */
  readonly isDryRun?: boolean;
}

/** Changes the history of all matching agents from a date on, and then from others, in one transaction. */
export async function applyChange(
  database: Database,
  change: MetadataChange,
  { caller, body, now, lockTimeoutMs, limits, isDryRun = false }: ChangeOrigin,
): Promise<AppliedChange> {
  const { organisationId } = caller;
  const { selector, followedBy, ...first } = change;
  return inOrganisation(database, organisationId, async (transaction) => {
    await lockHistory(transaction, organisationId, lockTimeoutMs);
    // work_mem: joins 100,000 agents in memory instead of on disk. jit: the planner overestimates the
    // cost of the statement, and compiling it would take longer than running it.
    await transaction.raw("set local work_mem = '64MB'; set local jit = off");
    if (isDryRun) await transaction.raw('savepoint before_dry_run');
    const requests = stepRequests(body);
    const apply = (step: ChangeStep, place: string, request: unknown) =>
      applyStep(transaction, { selector, ...step }, { caller, now, limits, place, request });
    const { written, ...applied } = await apply(first, '', requests[0]);
    const results: AppliedChange[] = [applied];
    for (const [i, step] of followedBy.entries()) {
      results.push(await apply(step, `followed_by[${i}]`, requests[i + 1]));
    }
    if (!isDryRun) return followedBy.length === 0 ? applied : together(results);
    const dryRun = written === null ? [] : await dryRunChanges(transaction, written);
    await transaction.raw('rollback to savepoint before_dry_run');
    return { ...applied, dryRun };
  });
}

/** The audit stores each step as a separate request. */
function stepRequests(body: unknown): readonly unknown[] {
  const { followed_by: following, ...first } = body as {
    readonly agent?: unknown;
    readonly followed_by?: readonly object[];
  };
  return [first, ...(following ?? []).map((step) => ({ agent: first.agent, ...step }))];
}

/** The first step does not warn about changes that the next ones restore. */
function together(results: readonly AppliedChange[]): AppliedChange {
  return {
    matchedAgents: results[0]?.matchedAgents ?? 0,
    changedHistory: results.some(({ changedHistory }) => changedHistory),
    metadataVersion: Math.max(...results.map(({ metadataVersion: version }) => version)),
    overridden: { listed: [], total: 0, laterAgents: 0 },
  };
}

interface StepOrigin extends Pick<ChangeOrigin, 'caller' | 'now' | 'limits'> {
  /** Of its fields in the request; empty: the request itself. */
  readonly place: string;
  readonly request: unknown;
}

async function applyStep(
  transaction: Knex.Transaction,
  change: ChangeStep & Pick<MetadataChange, 'selector'>,
  { caller, now, limits, place, request }: StepOrigin,
): Promise<AppliedChange & Pick<WrittenChange, 'written'>> {
  const { organisationId, tokenId } = caller;
  const { metadata, overwriteAll } = change;
  const matching = selectorConditions(change.selector);
  const { rows } = await transaction.raw<{ rows: [WrittenChange] }>(
    changeStatement(matching.sql, removesKeys(metadata)),
    {
      ...matching.bindings,
      organisationId,
      tokenId,
      request: JSON.stringify(request),
      now,
      changeFrom: change.validFromUtc,
      setsPackage: overwriteAll || metadata.package !== undefined,
      newIspId: metadata.package?.ispId ?? null,
      newPackageId: metadata.package?.packageId ?? null,
      setsTimezone: overwriteAll || metadata.timezone !== undefined,
      newTimezone: metadata.timezone ?? null,
      replacesCustom: overwriteAll,
      newCustom: JSON.stringify(metadata.custom ?? {}),
      customMaxBytes: limits.customMaxBytesPerAgent,
    },
  );
  const { customBytes, ...applied } = rows[0];
  if (applied.changedHistory && metadata.custom !== undefined) {
    const keys = Object.entries(metadata.custom).flatMap(([key, value]) =>
      value === null ? [] : [key],
    );
    const problem = await checkCustom(transaction, { organisationId, keys, customBytes }, limits);
    const path = place === '' ? 'metadata[custom]' : `${place}[metadata][custom]`;
    if (problem !== undefined) throw validationError({ [path]: [problem] });
  }
  return applied;
}

/** In the response of a dry run. */
const maxShownAgents = 5;

interface WrittenChange extends AppliedChange {
  /** Size of the largest custom data that grew beyond the limit; null: none did. */
  readonly customBytes: number | null;
  /** null: nothing changed. */
  readonly written: ChangeToShow | null;
}

function removesKeys({ custom = {} }: NewMetadata): boolean {
  return Object.values(custom).includes(null);
}

function changeStatement(matching: string, removesKeys: boolean): string {
  const custom = `case when :replacesCustom then '{}' else p.custom end || cast(:newCustom as jsonb)`;
  return rewriteHistory({
    incoming: `
      select a.id as agent_key, cast(:changeFrom as timestamptz) as change_from,
             cast(null as timestamptz) as change_to, cast(null as timestamptz) as stated_from
      from agents a
        left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
          and m.valid @> cast(:now as timestamptz)
      where a.organisation_id = :organisationId and ${matching}`,
    newValues: {
      ispId: 'case when :setsPackage then cast(:newIspId as integer) else p.isp_id end',
      packageId: 'case when :setsPackage then cast(:newPackageId as integer) else p.package_id end',
      timezone: 'case when :setsTimezone then cast(:newTimezone as text) else p.timezone end',
      // A null in the request removes its key.
      custom: removesKeys ? `jsonb_strip_nulls(${custom})` : custom,
    },
    result: `(select count(*) from incoming) as "matchedAgents",
             exists (select from changed) as "changedHistory", ${customBytes} as "customBytes",
             (select json_build_object('changeId', id, 'agentKeys', array(
                select distinct agent_key from changed order by 1 limit ${maxShownAgents}))
              from change) as written,
             ${metadataVersion} as "metadataVersion", ${overriddenChanges} as overridden`,
  });
}
