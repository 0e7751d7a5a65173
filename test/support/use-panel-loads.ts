import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { netpanel } from './netpanel.ts';
import { useLoadFolder } from './use-load-folder.ts';

interface StoredAgent {
  readonly unit: number;
  readonly isp: string | null;
  readonly tier: string | null;
  readonly timezone: string | null;
  readonly custom: Readonly<Record<string, string | number>>;
  /** null: for all time */
  readonly validFrom: Date | null;
}

/** Loads of published unit averages, for the tests of one describe(), and what they stored for the test's organisation. */
export function usePanelLoads() {
  const panel = useLoadFolder();
  return {
    panel,
    load: (...args: readonly string[]) =>
      netpanel(panel.stack, 'load', '--org', panel.tenant.name, ...args),
    /** The results, in the order of their columns. */
    stored: (columns: string) =>
      queryRows<Record<string, unknown>>(
        panel.stack.clickhouse,
        `SELECT ${columns} FROM test_panel FINAL
WHERE organisation_id = ${panel.tenant.organisationId} ORDER BY ALL`,
      ),
    /** The current history of the agents. */
    agents: async (): Promise<readonly StoredAgent[]> => {
      const { rows } = await panel.stack.database.raw<{ rows: StoredAgent[] }>(
        `select a.unit_id as unit, i.name as isp, p.name as tier, m.timezone, m.custom,
                lower(m.valid) as "validFrom"
         from agent_metadata m join agents a on a.id = m.agent_key
           left join isps i on i.id = m.isp_id left join packages p on p.id = m.package_id
         where m.organisation_id = ? and m.superseded_at is null
         order by a.unit_id, lower(m.valid) nulls first`,
        [panel.tenant.organisationId],
      );
      return rows;
    },
  };
}
