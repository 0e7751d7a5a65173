import { Gauge, type Registry } from 'prom-client';
import { AppError } from '../../shared/errors/app-error.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { ExportRecord } from './export-record.ts';
import { ExportWatch } from './export-watch.ts';

interface Parts {
  readonly find: (id: string) => Promise<ExportRecord | undefined>;
  readonly settings: WaitingDownloadSettings;
  readonly registry: Registry;
}

interface WaitingDownloadSettings {
  readonly exportLinkWaitMs: number;
  readonly maxWaitingDownloads: number;
}

/** A client that waits for a file does not notice half a second. */
const pollMs = 500;

/** Downloads by link that wait for a file that is still being made, by this process or another. */
export class WaitingDownloads {
  readonly #watch: ExportWatch;
  readonly #slots: OrganisationSlots;
  readonly #maxWaitMs: number;
  readonly #waits = new Set<AbortController>();
  #isStopping = false;

  constructor({ find, settings, registry }: Parts) {
    this.#watch = new ExportWatch({ find, intervalMs: pollMs });
    this.#slots = new OrganisationSlots(
      'downloads that wait for a running export',
      settings.maxWaitingDownloads,
      0,
    );
    this.#maxWaitMs = settings.exportLinkWaitMs;
    const waits = this.#waits;
    new Gauge({
      name: 'netpanel_downloads_waiting',
      help: 'Downloads by link that wait for a running export.',
      registers: [registry],
      collect() {
        this.set(waits.size);
      },
    });
  }

  /**
   * The record of an export that has ended; undefined if it does not exist any more. Throws when the
   * organisation has too many waiting downloads, the wait takes too long, or the process stops. `wait`
   * ends it on client disconnect.
   */
  async ended(
    { id, organisationId }: ExportRecord,
    wait: AbortController,
  ): Promise<ExportRecord | undefined> {
    if (this.#isStopping) throw stillRunning();
    const release = await this.#slots.acquire(organisationId, wait.signal);
    const limit = setTimeout(() => wait.abort(stillRunning()), this.#maxWaitMs);
    this.#waits.add(wait);
    try {
      return await this.#watch.ended(id, wait.signal);
    } finally {
      clearTimeout(limit);
      this.#waits.delete(wait);
      release();
    }
  }

  /** A shutdown must not wait for them: another replica can serve the link. */
  stop(): void {
    this.#isStopping = true;
    for (const wait of this.#waits) wait.abort(stillRunning());
  }
}

function stillRunning(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The file is still being made. Please request the same link again.',
    headers: retryAfter(1),
  });
}
