interface Failing {
  readonly failures: number;
  readonly retryAtMs: number;
  readonly error: string;
}

const firstRetryMs = 500;
const lastRetryMs = 10_000;
/** One organisation that fails for long must not take the time of the others. */
const lastOrganisationRetryMs = 300_000;

/** Organisations that could not be published, and when each is tried again. */
export class Backoff {
  readonly #failing = new Map<number, Failing>();

  get organisationIds(): readonly number[] {
    return [...this.#failing.keys()];
  }

  get lastError(): string | undefined {
    const [last] = [...this.#failing].slice(-1);
    return last === undefined ? undefined : `organisation ${last[0]}: ${last[1].error}`;
  }

  mayRetry(organisationId: number): boolean {
    return Date.now() >= (this.#failing.get(organisationId)?.retryAtMs ?? 0);
  }

  failed(organisationId: number, error: string): void {
    const failures = (this.#failing.get(organisationId)?.failures ?? 0) + 1;
    const retryAtMs = Date.now() + retryPauseMs(failures, lastOrganisationRetryMs);
    this.#failing.set(organisationId, { failures, retryAtMs, error });
  }

  succeeded(organisationId: number): void {
    this.#failing.delete(organisationId);
  }
}

/** The pause doubles with each failure. */
export function retryPauseMs(failures: number, maxMs = lastRetryMs): number {
  return Math.min(firstRetryMs * 2 ** (failures - 1), maxMs);
}
