import type { coverageNumbers } from '../../../catalog/statistics.ts';
import type { Report } from '../../request/report/report.ts';

type CoverageName = (typeof coverageNumbers)[number]['name'];

/** SQL over the columns of `covered`. All have the same type, because they become a map. */
export function coverageSql({
  resultsPerHour,
}: NonNullable<Report['coverage']>): Readonly<Record<CoverageName, string>> {
  return {
    expected: `expected_seconds / 3600 * ${resultsPerHour}`,
    received: 'toFloat64(received_results)',
    agents: 'toFloat64(expected_agents)',
    reporting: 'toFloat64(reporting_agents)',
    share: 'if(expected_agents = 0, NULL, reporting_agents / expected_agents)',
  };
}
