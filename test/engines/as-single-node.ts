/**
 * Removes from a cluster statement what the in-process engine does not support: `ON CLUSTER` (code 392),
 * inserts into `Replicated…` tables, and waiting for replicas.
 */
export function asSingleNode(sql: string): string {
  if (/^\s*SYSTEM SYNC REPLICA\b/.test(sql)) return 'SELECT 1';
  return sql
    .replace(/ ON CLUSTER \w+/, '')
    .replace(/ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, 'ENGINE = $1(');
}
