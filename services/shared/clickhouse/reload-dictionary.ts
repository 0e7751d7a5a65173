import { onCluster } from './on-cluster.ts';

/**
 * Makes a dictionary read its tables again. On a cluster each node reads its own replica of them, so
 * all replicas catch up first; the reload is answered when every node has done it.
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

/** Waits until every node has the rows that any node has; nothing to do on a single server. */
export function syncReplicas(tables: readonly string[], cluster: string): readonly string[] {
  if (cluster === '') return [];
  return tables.map((table) => `SYSTEM SYNC REPLICA ${onCluster(cluster)}${table}`);
}
