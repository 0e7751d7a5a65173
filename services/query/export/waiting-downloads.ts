import { setTimeout as sleep } from 'node:timers/promises';
import { metricsOf, type Registry } from '../../shared/metrics.ts';
import { BatchedLookup } from '../../shared/batched-lookup.ts';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { ExportRecord } from './export-record.ts';
import type { ExportConfig } from '../settings/export-settings.ts';

type FindExport = (id: string) => Promise<ExportRecord | undefined>;

interface Parts {
  readonly find: FindExport;
  readonly settings: Pick<ExportConfig, 'exportLinkWaitMs' | 'maxWaitingDownloads'>;
  readonly registry: Registry;
}

/** A client that waits for a file does not notice half a second. */
const pollMs = 500;

/** Downloads by link that wait for a file that is still being made, by this process or another. */
export function waitingDownloads({ find, settings, registry }: Parts) {
  const ended = exportWatch(find, pollMs);
  const slots = new OrganisationSlots(
    'downloads that wait for a running export',
    settings.maxWaitingDownloads,
    0,
  );
  const waits = new Set<AbortController>();
  let isStopping = false;
  metricsOf(registry).measured(
    'netpanel_downloads_waiting',
    'Downloads by link that wait for a running export.',
    () => waits.size,
  );
  return {
    /**
     * The record of an export that has ended; undefined if it does not exist any more. Throws when the
     * organisation has too many waiting downloads, the wait takes too long, or the process stops. `wait`
     * ends it on client disconnect.
     */
    ended: async (
      { id, organisationId }: ExportRecord,
      wait: AbortController,
    ): Promise<ExportRecord | undefined> => {
      if (isStopping) throw stillRunning();
      const release = await slots.acquire(organisationId, wait.signal);
      const limit = setTimeout(() => wait.abort(stillRunning()), settings.exportLinkWaitMs);
      waits.add(wait);
      try {
        return await ended(id, wait.signal);
      } finally {
        clearTimeout(limit);
        waits.delete(wait);
        release();
      }
    },
    /** A shutdown must not wait for them: another replica can serve the link. */
    stop: () => {
      isStopping = true;
      for (const wait of waits) wait.abort(stillRunning());
    },
  };
}

function stillRunning(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The file is still being made. Please request the same link again.',
    headers: retryAfter(1),
  });
}

/**
 * Returns a function that resolves with the record of an export of any process when it is not running any more;
 * undefined if the record does not exist. It throws the signal's reason when aborted. The records are read one after
 * the other, at the same time for all requests, so that they use one connection to Postgres, however many wait.
 */
export function exportWatch(find: FindExport, intervalMs: number) {
  const records = new BatchedLookup<ExportRecord | undefined>(1, async (ids) => {
    const found = new Map<string, ExportRecord | undefined>();
    for (const id of ids) found.set(id, await find(id));
    return found;
  });
  let nextRead: Promise<void> | undefined;
  return async (id: string, signal: AbortSignal): Promise<ExportRecord | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      nextRead ??= sleep(intervalMs).then(() => (nextRead = undefined));
      await nextRead;
      signal.throwIfAborted();
      const record = await records.find(id);
      if (record?.status !== 'running') return record;
    }
  };
}
