import { withTimeout } from '../with-timeout.ts';

/** A dependency of the service, for /readyz. */
export interface Dependency {
  readonly name: string;
  /** Whether the service is unready without it. */
  readonly required: boolean;
  /**
   * Resolves with details for the report, or throws if the dependency is unavailable. An
   * UnsupportedVersionError makes the service unready even if the dependency is not required.
   */
  readonly check: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The version of a database is not supported. */
export class UnsupportedVersionError extends Error {
  override readonly name = 'UnsupportedVersionError';
}

/** The report of /readyz about a dependency, without the details of its check. */
export interface DependencyReport {
  readonly ok: boolean;
  readonly required: boolean;
  readonly tookMs: number;
  /** Seconds since the last successful check: 0 for this one, null for never. */
  readonly ageSeconds: number | null;
  readonly error?: string;
  /** Set if its version is not supported. */
  readonly unsupported?: true;
}

const checkTimeoutMs = 3_000;

/** Checks a dependency for every report, and keeps the time of the last successful check. */
export function watchedDependency({ name, required, check }: Dependency) {
  let lastOkMs: number | undefined;
  let pending: Promise<Readonly<Record<string, unknown>>> | undefined;

  return { name, report };

  async function report(): Promise<DependencyReport> {
    const startedMs = performance.now();
    const tookMs = () => Math.round(performance.now() - startedMs);
    try {
      const details = await withTimeout(checkTimeoutMs, sharedCheck());
      lastOkMs = performance.now();
      return { ok: true, required, tookMs: tookMs(), ageSeconds: 0, ...details };
    } catch (error) {
      return {
        ok: false,
        required,
        tookMs: tookMs(),
        ageSeconds: lastOkMs === undefined ? null : (performance.now() - lastOkMs) / 1000,
        error: messageOf(error),
        ...(error instanceof UnsupportedVersionError ? { unsupported: true } : {}),
      };
    }
  }

  // If a dependency hangs, further probes share its pending check.
  function sharedCheck(): Promise<Readonly<Record<string, unknown>>> {
    pending ??= check().finally(() => (pending = undefined));
    return pending;
  }
}

// An AggregateError has no message, such as for connections refused by several addresses.
function messageOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return inner instanceof Error ? inner.message : String(inner);
}
