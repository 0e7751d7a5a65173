import type { ProcessRecord } from './process-record.ts';

interface Part {
  /** Set for a part that does not end with this process. */
  readonly pid?: number;
  stop(): Promise<void>;
}

/** Stops the started parts in reverse order: the services before their databases. */
export class StartedParts {
  /** Rejects when a watched part ends before stop() is called. */
  readonly broken: Promise<never>;
  readonly #record: ProcessRecord;
  readonly #parts: Part[] = [];
  readonly #starting = new Set<Promise<Part>>();
  #isStopping = false;
  #reportBroken: (error: Error) => void = () => undefined;

  constructor(record: ProcessRecord) {
    this.#record = record;
    this.broken = new Promise((_resolve, reject) => {
      this.#reportBroken = reject;
    });
    // If nothing awaits it, it must not be an unhandled rejection.
    this.broken.catch(() => undefined);
  }

  async add<T extends Part>(starting: Promise<T>): Promise<T> {
    this.#starting.add(starting);
    try {
      const part = await starting;
      this.#parts.push(part);
      if (part.pid !== undefined) this.record(part.pid);
      return part;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** Records a process that does not end with this one, so that the next start stops it. */
  record(pid: number): void {
    this.#record.add(pid);
  }

  watch(ended: Promise<void>, message: string): void {
    void ended.then(() => {
      if (!this.#isStopping) this.#reportBroken(new Error(message));
    });
  }

  /** Also stops what is still starting, for example when another part could not start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#starting);
    for (const part of this.#parts.splice(0).reverse()) await part.stop();
  }
}
