import { clickHouseContent, customFromJson } from './snapshot-content.ts';

/** How the dictionary that queries use is looked at: on this server, or on every node of a cluster. */
export interface DictionaryQueries {
  /** A row `failure` for each node whose last load failed. */
  readonly failures: string;
  /** A row of figures for each node. */
  readonly contents: string;
  /** How many nodes there should be. */
  readonly nodeCount: string;
}

export function dictionaryQueries(cluster: string): DictionaryQueries {
  if (cluster === '') {
    return {
      failures: `SELECT last_exception AS failure FROM system.dictionaries ${failed}`,
      contents: `${withCustom}
SELECT ${clickHouseContent} FROM dictionary(concat(currentDatabase(), '.agent_metadata'))`,
      nodeCount: 'SELECT 1 AS count',
    };
  }
  return {
    failures: `SELECT concat(hostName(), ': ', last_exception) AS failure
FROM clusterAllReplicas('${cluster}', system.dictionaries) ${failed}`,
    // A dictionary can be read as a table, and so on the other nodes too. With the port, since two
    // nodes may share a host.
    contents: `${withCustom}
SELECT ${clickHouseContent}
FROM clusterAllReplicas('${cluster}', currentDatabase(), 'agent_metadata') GROUP BY hostName(), tcpPort()`,
    nodeCount: `SELECT count() AS count FROM system.clusters WHERE cluster = '${cluster}'`,
  };
}

// The dictionary has no Map attribute: ClickHouse before 26.5 refuses one.
const withCustom = `WITH ${customFromJson('custom_json')} AS custom`;

const failed = `WHERE database = currentDatabase() AND name = 'agent_metadata' AND last_exception != ''`;
