/** `ON CLUSTER name ` before what follows, or nothing for a single server. */
export function onCluster(cluster: string): string {
  return cluster === '' ? '' : `ON CLUSTER ${cluster} `;
}
