import type { FoundFile } from './watched-place.ts';

/**
 * Tells files that are complete from those that are being written: their size and modification time did
 * not change for the settle time. Measured by our own clock: that of a file server may differ.
 */
export class Settling {
  readonly #settleMs: number;
  #seen: ReadonlyMap<string, Seen> = new Map();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** The complete files, and how long until the next one may be complete. */
  look(found: readonly FoundFile[], look: Look): SettledFiles {
    const sinceMs = ({ name, version }: FoundFile) => {
      const before = this.#seen.get(name);
      return before?.version === version ? before.sinceMs : look.endedMs;
    };
    const seen = found.map((file) => ({ file, sinceMs: sinceMs(file) }));
    this.#seen = new Map(
      seen.map(({ file, sinceMs: at }) => [file.name, { version: file.version, sinceMs: at }]),
    );
    const leftMs = (since: number) =>
      this.#settleMs === 0 ? 0 : since + this.#settleMs - look.startedMs;
    const waiting = seen.filter(({ sinceMs: at }) => leftMs(at) > 0);
    return {
      settled: seen.filter(({ sinceMs: at }) => leftMs(at) <= 0).map(({ file }) => file),
      unsettled: waiting.map(({ file }) => file),
      nextInMs: waiting.reduce((least, { sinceMs: at }) => Math.min(least, leftMs(at)), Infinity),
    };
  }
}

interface Seen {
  readonly version: string;
  readonly sinceMs: number;
}

/** When the place was listed. */
interface Look {
  readonly startedMs: number;
  readonly endedMs: number;
}

interface SettledFiles {
  readonly settled: readonly FoundFile[];
  readonly unsettled: readonly FoundFile[];
  /** Infinity: there is no other file. */
  readonly nextInMs: number;
}
