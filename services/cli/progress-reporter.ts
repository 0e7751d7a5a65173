export interface ExportProgress {
  readonly rows: number;
  readonly bytes: number;
  /** Null where it cannot be told. */
  readonly percent: number | null;
}

export interface ProgressReporter {
  show(progress: ExportProgress): void;
  end(): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const barWidth = 30;

/** A bar that redraws itself on a terminal; elsewhere a line for every tenth that is done. */
export function progressReporter(output: Output): ProgressReporter {
  return output.isTTY === true ? bar(output) : lines(output);
}

function bar(output: Output): ProgressReporter {
  return {
    show: (progress) => output.write(`\r\u001b[K${drawn(progress)}`),
    end: () => output.write('\n'),
  };
}

function drawn({ rows, bytes, percent }: ExportProgress): string {
  const filled = Math.round(((percent ?? 0) * barWidth) / 100);
  const blocks = '#'.repeat(filled) + '-'.repeat(barWidth - filled);
  const share = percent === null ? '  ?' : String(percent).padStart(3);
  return `[${blocks}] ${share}%  ${rows} rows  ${(bytes / 1e6).toFixed(1)} MB`;
}

function lines(output: Output): ProgressReporter {
  let shown = -1;
  return {
    show: ({ rows, bytes, percent }) => {
      const tenth = Math.floor((percent ?? 0) / 10);
      if (tenth === shown) return;
      shown = tenth;
      output.write(`${percent ?? 0} % done: ${rows} rows, ${bytes} bytes\n`);
    },
    end: () => undefined,
  };
}
