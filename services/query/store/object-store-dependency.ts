import type { Dependency } from '../../shared/http/dependency.ts';
import type { ObjectStore } from './object-store.ts';

/** Where exports are kept. Everything but exports works without it, so it makes nobody unready. */
export function objectStoreDependency(store: ObjectStore): Dependency {
  return {
    name: 'objectStore',
    required: false,
    check: async () => {
      await store.check();
      // What is written is there at once, in a folder as in S3.
      return { kind: store.name.split(':', 1)[0], lagSeconds: 0 };
    },
  };
}
