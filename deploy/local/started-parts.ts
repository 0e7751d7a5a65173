import type { ProcessRecord } from './process-record.ts';

interface Part {
  /** Given by a part that does not end with this process of itself. */
  readonly pid?: number;
  stop(): Promise<void>;
}

/** Remembers what has been started, and stops it in reverse: the services before their databases. */
export class StartedParts {
  /** Rejects when something that was being watched ends before stop() was called. */
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
    // Reported to the code that awaits it, and not as an unhandled rejection.
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
