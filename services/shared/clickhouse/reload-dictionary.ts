import { onCluster } from './on-cluster.ts';

/**
 * Statements that reload a dictionary. On a cluster each node reads its own replica of the sources, so
 * the replicas are synced first; the reload returns when every node has finished.
 */
export function reloadDictionary(
  dictionary: string,
  sources: readonly string[],
  cluster: string,
): readonly string[] {
  return [
    ...syncReplicas(sources, cluster),
    `SYSTEM RELOAD DICTIONARY ${onCluster(cluster)}${dictionary}`,
  ];
}

/** Statements that wait until every node has all rows; none for a single server. */
export function syncReplicas(tables: readonly string[], cluster: string): readonly string[] {
  if (cluster === '') return [];
  return tables.map((table) => `SYSTEM SYNC REPLICA ${onCluster(cluster)}${table}`);
}
