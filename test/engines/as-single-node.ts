/**
 * A statement of a cluster without what the engine in one process cannot do: `ON CLUSTER` (code 392),
 * `Replicated…` tables, which do not take inserts there, and waiting for replicas.
 */
export function asSingleNode(sql: string): string {
  if (/^\s*SYSTEM SYNC REPLICA\b/.test(sql)) return 'SELECT 1';
  return sql
    .replace(/ ON CLUSTER \w+/, '')
    .replace(/ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, 'ENGINE = $1(');
}
