import type { Knex } from 'knex';
import { customBytes, rewriteHistory } from './rewrite-history.ts';

interface HistoryImport {
  readonly organisationId: number;
  /** null: no start. The values of an agent without a history never have a start. */
  readonly validFromUtc: Date | null;
  /** Recorded with the change. */
  readonly request: object;
  readonly customMaxBytes: number;
}

export interface ImportedHistory {
  /** Agents whose history changed. */
  readonly changed: number;
  /** The largest custom data of an agent that grew over the limit; null: none did. */
  readonly customBytes: number | null;
}

/** Sets the metadata of every staged agent. */
export async function importHistory(
  transaction: Knex.Transaction,
  { organisationId, validFromUtc, request, customMaxBytes }: HistoryImport,
): Promise<ImportedHistory> {
  const { rows } = await transaction.raw<{ rows: [ImportedHistory] }>(statement, {
    organisationId,
    tokenId: null,
    validFromUtc,
    request: JSON.stringify(request),
    customMaxBytes,
  });
  return rows[0];
}

const statement = rewriteHistory({
  incoming: `
    select s.agent_key, isp.id as isp_id, package.id as package_id, s.timezone, s.custom,
      case when exists (select from agent_metadata m
                        where m.agent_key = s.agent_key and m.superseded_at is null)
        then cast(:validFromUtc as timestamptz) end as change_from
    from staged_agents s
      left join isps isp on isp.organisation_id = :organisationId and isp.name = s.isp
      left join packages package on package.isp_id = isp.id and package.name = s.package
    where s.isp is not null or s.timezone is not null or s.custom <> '{}'`,
  newValues: {
    join: 'join incoming i using (agent_key)',
    ispId: 'coalesce(i.isp_id, p.isp_id)',
    packageId: `case when i.package_id is not null then i.package_id
                     when i.isp_id is null or i.isp_id = p.isp_id then p.package_id end`,
    timezone: 'coalesce(i.timezone, p.timezone)',
    custom: 'p.custom || i.custom',
  },
  result: `count(distinct agent_key)::integer as changed, ${customBytes} as "customBytes" from changed`,
});
