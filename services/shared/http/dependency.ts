import { UnsupportedVersionError } from '../errors/unsupported-version-error.ts';
import { withTimeout } from '../with-timeout.ts';

/** One thing the service works with. */
export interface Dependency {
  readonly name: string;
  /** Whether the service is not ready without it. */
  readonly required: boolean;
  /**
   * Resolves with facts worth showing, or throws why it is not there. An UnsupportedVersionError makes
   * the service unready even where the dependency is not required.
   */
  readonly check: () => Promise<Readonly<Record<string, unknown>>>;
}

/** What /readyz says of a dependency, beside the facts of its own. */
export interface DependencyReport {
  readonly ok: boolean;
  readonly required: boolean;
  readonly tookMs: number;
  /** Seconds since it last answered well: 0 just now, null not since the start. */
  readonly ageSeconds: number | null;
  readonly error?: string;
  /** Set where its version is not supported. */
  readonly unsupported?: true;
}

const checkTimeoutMs = 3_000;

/** Asks a dependency whenever it is looked at, and remembers when it last answered well. */
export function watchedDependency({ name, required, check }: Dependency) {
  let lastOkMs: number | undefined;
  let underWay: Promise<Readonly<Record<string, unknown>>> | undefined;

  return { name, report };

  async function report(): Promise<DependencyReport> {
    const startedMs = Date.now();
    try {
      const facts = await withTimeout(checkTimeoutMs, sharedCheck());
      lastOkMs = Date.now();
      return { ok: true, required, tookMs: lastOkMs - startedMs, ageSeconds: 0, ...facts };
    } catch (error) {
      const nowMs = Date.now();
      return {
        ok: false,
        required,
        tookMs: nowMs - startedMs,
        ageSeconds: lastOkMs === undefined ? null : (nowMs - lastOkMs) / 1000,
        error: messageOf(error),
        ...(error instanceof UnsupportedVersionError ? { unsupported: true } : {}),
      };
    }
  }

  // A store that hangs is asked once, and not again with every probe.
  function sharedCheck(): Promise<Readonly<Record<string, unknown>>> {
    underWay ??= check().finally(() => (underWay = undefined));
    return underWay;
  }
}

// An AggregateError, as of a refused connection to several addresses, has no message of its own.
function messageOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return inner instanceof Error ? inner.message : String(inner);
}
