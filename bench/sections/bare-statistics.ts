import { metrics } from '../../services/catalog/metrics.ts';
import { metricValue, resultsTable } from '../../services/catalog/result.ts';
import { aggregates } from '../../services/catalog/statistics.ts';
import { printInlined } from '../../services/shared/sql/print-query.ts';
import { as } from '../../services/shared/sql/select.ts';
import type { BenchPanel } from '../panel/bench-panel.ts';

/** All statistics of the panel's results by UTC day, without metadata and local time: the least that a query costs. */
export function bareStatistics({ tenant }: BenchPanel): string {
  const metric = metrics.find(({ key }) => key === 'httpget');
  if (metric === undefined) throw new Error('the catalogue has no metric httpget');
  return printInlined({
    steps: [],
    select: {
      columns: [
        as('toDate(dtime)', 'bucket'),
        ...aggregates.map(({ name, unweighted }) => as(unweighted(metricValue(metric)), name)),
        as('count()', 'samples'),
        as('uniqExact(agent_key)', 'agents'),
        as('uniqExact(unit_id)', 'units'),
      ],
      from: resultsTable(metric.test),
      final: true,
      where: [`organisation_id = ${tenant.organisationId}`, metric.existsWhen],
      groupBy: ['bucket'],
      orderBy: ['bucket'],
    },
    settings: ['do_not_merge_across_partitions_select_final = 1'],
  });
}
