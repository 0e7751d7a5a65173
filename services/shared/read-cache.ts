import { LRUCache } from 'lru-cache';

/**
 * A cache that reads what it does not have. Requests for a key share one read, and it goes on when one of them is
 * aborted. `read` gets what a request gives beside its key.
 */
export function readCache<Key extends string | number, Value extends object | string, Context>(
  options: LRUCache.Options<Key, Value, Context>,
  read: (context: Context, key: Key) => Promise<Value>,
): LRUCache<Key, Value, Context> {
  return new LRUCache({
    ...options,
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context }) => read(context, key),
  });
}
