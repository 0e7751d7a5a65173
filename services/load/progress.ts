import { ProgressLine, type ProgressOutput } from '../shared/progress-line.ts';

/**
 * Shows rows, speed and remaining time of a load. Bytes are counted before decompression, so the
 * share is right for compressed files too.
 */
export class Progress {
  readonly #line: ProgressLine;
  readonly #nowMs: () => number;
  /** 0 when unknown: standard input. */
  readonly #totalBytes: number;
  readonly #startedMs: number;
  #bytes = 0;
  #rows = 0;

  constructor(
    name: string,
    totalBytes: number,
    output?: ProgressOutput,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#line = new ProgressLine(name, output, nowMs);
    this.#totalBytes = totalBytes;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  addBytes(count: number): void {
    this.#bytes += count;
    this.#show();
  }

  addRows(count: number): void {
    this.#rows += count;
    this.#show();
  }

  end(): void {
    this.#line.end();
  }

  #show(): void {
    const share = this.#totalBytes === 0 ? undefined : this.#bytes / this.#totalBytes;
    this.#line.show(share, () => this.#details());
  }

  #details(): string {
    const elapsedS = Math.max(0.001, (this.#nowMs() - this.#startedMs) / 1000);
    const rate = this.#bytes / elapsedS;
    const leftS = (this.#totalBytes - this.#bytes) / rate;
    return [
      `${this.#rows.toLocaleString('en')} rows`,
      `${(rate / 1e6).toFixed(1)} MB/s`,
      ...(this.#totalBytes === 0 ? [] : [`${clock(Math.max(0, leftS))} left`]),
    ].join(', ');
  }
}

// 75 s is 1:15, and 3,700 s is 1:01:40.
function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? part : String(part).padStart(2, '0'))).join(':');
}
