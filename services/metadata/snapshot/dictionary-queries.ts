import { clickHouseContent, customFromJson } from './snapshot-content.ts';

/** Queries that inspect the dictionary on a single server, or on every node of a cluster. */
export interface DictionaryQueries {
  /** One row with `failure` per node whose last load failed. */
  readonly failures: string;
  /** One row with row count and hash per node and organisation. */
  readonly contents: string;
  /** The expected number of nodes. */
  readonly nodeCount: string;
}

export function dictionaryQueries(
  dictionary: string,
  cluster: string,
  organisationIds: readonly number[],
): DictionaryQueries {
  const failed = `WHERE database = currentDatabase() AND name = '${dictionary}' AND last_exception != ''`;
  const ofOrganisations = `WHERE organisation_id IN (${organisationIds.join(', ')})`;
  if (cluster === '') {
    return {
      failures: `SELECT last_exception AS failure FROM system.dictionaries ${failed}`,
      contents: `${withCustom}
SELECT organisation_id, ${clickHouseContent} FROM dictionary(concat(currentDatabase(), '.${dictionary}'))
${ofOrganisations} GROUP BY organisation_id`,
      nodeCount: 'SELECT 1 AS count',
    };
  }
  return {
    failures: `SELECT concat(hostName(), ': ', last_exception) AS failure
FROM clusterAllReplicas('${cluster}', system.dictionaries) ${failed}`,
    // A dictionary can be read as a table, also on other nodes. Grouped by port too, because two nodes
    // may share a host.
    contents: `${withCustom}
SELECT organisation_id, ${clickHouseContent}
FROM clusterAllReplicas('${cluster}', currentDatabase(), '${dictionary}')
${ofOrganisations} GROUP BY hostName(), tcpPort(), organisation_id`,
    nodeCount: `SELECT count() AS count FROM system.clusters WHERE cluster = '${cluster}'`,
  };
}

// The dictionary has no Map attribute: ClickHouse before 26.5 refuses one.
const withCustom = `WITH ${customFromJson('custom_json')} AS custom`;
