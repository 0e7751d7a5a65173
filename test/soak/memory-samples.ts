import { ScrapedMetrics } from '../support/scraped-metrics.ts';

export interface MemorySample {
  readonly atMs: number;
  /** Heap in use and memory outside of the heap that belongs to its objects, such as buffers. */
  readonly liveBytes: number;
  readonly residentBytes: number;
  readonly majorCollections: number;
  /** Changes when the process restarts. */
  readonly startedAtS: number;
}

const everyMs = 10_000;

/** Samples the memory of a service from its metrics. */
export class MemorySamples {
  readonly samples: MemorySample[] = [];
  readonly #opsUrl: string;
  readonly #timer: NodeJS.Timeout;

  constructor(opsUrl: string, onError: (error: unknown) => void) {
    this.#opsUrl = opsUrl;
    this.#timer = setInterval(() => void this.#sample().catch(onError), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #sample(): Promise<void> {
    const metrics = await ScrapedMetrics.from(this.#opsUrl);
    const heapBytes = metrics.value('nodejs_heap_size_used_bytes');
    this.samples.push({
      atMs: Date.now(),
      liveBytes: heapBytes + metrics.value('nodejs_external_memory_bytes'),
      residentBytes: metrics.value('process_resident_memory_bytes'),
      // The series begins with the first collection.
      majorCollections: metrics.value('nodejs_gc_duration_seconds_count', { kind: 'major' }) || 0,
      startedAtS: metrics.value('process_start_time_seconds'),
    });
  }
}
