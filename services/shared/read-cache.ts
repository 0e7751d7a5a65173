import { LRUCache } from 'lru-cache';

/**
 * A cache that reads missing entries. Requests for a key share one read, which continues when one of them is aborted.
 * `read` gets the key and the context of a request.
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
