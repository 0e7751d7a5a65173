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
    const part = await starting;
    this.#parts.push(part);
    if (part.pid !== undefined) this.#record.add(part.pid);
    return part;
  }

  watch(ended: Promise<void>, message: string): void {
    void ended.then(() => {
      if (!this.#isStopping) this.#reportBroken(new Error(message));
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const part of this.#parts.splice(0).reverse()) await part.stop();
  }
}
