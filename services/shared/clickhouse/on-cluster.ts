/** `ON CLUSTER name ` with a trailing space; empty for a single server. */
export function onCluster(cluster: string): string {
  return cluster === '' ? '' : `ON CLUSTER ${cluster} `;
}
