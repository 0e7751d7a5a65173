import type { Dependency } from '../../shared/http/dependency.ts';
import type { ObjectStore } from './object-store.ts';

/** The object store of exports. Not required: everything else works without it. */
export function objectStoreDependency(store: ObjectStore): Dependency {
  return {
    name: 'objectStore',
    required: false,
    check: async () => {
      await store.check();
      // No lag: folders and S3 have read-after-write consistency.
      return { kind: store.name.split(':', 1)[0], lagSeconds: 0 };
    },
  };
}
