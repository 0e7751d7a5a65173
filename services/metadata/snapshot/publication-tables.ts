import { reloadDictionary } from '../../shared/clickhouse/reload-dictionary.ts';
import { clickHouseContent, customFromJson } from './snapshot-content.ts';

/** Where the publications of a kind are, and the dictionary that reads them. */
export interface PublicationTables {
  readonly rows: string;
  /** Has a row for every publication that is complete. */
  readonly publications: string;
  readonly dictionary: string;
  /** The tables that the dictionary reads. */
  readonly sources: readonly string[];
}

/** All agents of an organisation. */
export const snapshotTables: PublicationTables = {
  rows: 'agent_metadata_period',
  publications: 'agent_metadata_publication',
  dictionary: 'agent_metadata',
  sources: ['agent_metadata_period', 'agent_metadata_publication', 'custom_hash_key'],
};

/** The agents of an organisation that changed since its snapshot. Lookups try this dictionary first. */
export const changeTables: PublicationTables = {
  rows: 'agent_metadata_change',
  publications: 'agent_metadata_change_publication',
  dictionary: 'agent_metadata_changes',
  sources: ['agent_metadata_change', 'agent_metadata_change_publication', 'custom_hash_key'],
};

/** The values of custom fields of all publications that exist: a query may still use an earlier one. */
const customValues = {
  dictionary: 'custom_value',
  sources: ['agent_metadata_period', 'agent_metadata_change', 'custom_hash_key'],
} as const;

/** Statements that reload the values of custom fields: before metadata that refers to them, and after rows were erased. */
export function reloadCustomValues(cluster: string): readonly string[] {
  return reloadDictionary(customValues.dictionary, customValues.sources, cluster);
}

/** The rows of a dictionary on a single server, or on every node of a cluster: it can be read as a table. */
export function dictionaryRows(dictionary: string, cluster: string): string {
  return cluster === ''
    ? `dictionary(concat(currentDatabase(), '.${dictionary}'))`
    : `clusterAllReplicas('${cluster}', currentDatabase(), '${dictionary}')`;
}

/**
 * Queries that inspect a dictionary: `failures` has one row per node whose last load failed, `contents` the row count
 * and hash per node and organisation, `nodeCount` the expected number of nodes.
 */
export function dictionaryQueries(
  dictionary: string,
  cluster: string,
  organisationIds: readonly number[],
) {
  const isSingle = cluster === '';
  const dictionaries = 'system.dictionaries';
  // Grouped by port too, because two nodes may share a host.
  const node = isSingle ? '' : 'hostName(), tcpPort(), ';
  return {
    failures: `SELECT concat(hostName(), ': ', last_exception) AS failure
FROM ${isSingle ? dictionaries : `clusterAllReplicas('${cluster}', ${dictionaries})`} WHERE database = currentDatabase() AND name = '${dictionary}' AND last_exception != ''`,
    // The dictionary has no Map attribute: ClickHouse before 26.5 refuses one.
    contents: `WITH ${customFromJson('custom_json')} AS custom
SELECT organisation_id, ${clickHouseContent}
FROM ${dictionaryRows(dictionary, cluster)}
WHERE organisation_id IN (${organisationIds.join(', ')}) GROUP BY ${node}organisation_id`,
    nodeCount: isSingle
      ? 'SELECT 1 AS count'
      : `SELECT count() AS count FROM system.clusters WHERE cluster = '${cluster}'`,
  };
}
