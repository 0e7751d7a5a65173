import { printLine } from '../print.ts';
import { describeLoad, problemOf } from '../../load/summary/describe-load.ts';
import type { FileOutcome } from '../../load/summary/load-summary.ts';
import { type RejectLimit, TooManyRejects } from '../../load/blocks/rejects.ts';

/** Exit codes of netpanel load and load-mba, as documented in docs/loading.md. */
const exitCodes = { nothingLoaded: 3, tooManyRejects: 4, partlyLoaded: 5, differing: 7 } as const;

interface ReportOptions {
  readonly isJson: boolean;
  readonly isDryRun: boolean;
}

/** Collects what became of each file. Prints it at once, or with --json at the end. */
export class LoadReport {
  readonly #options: ReportOptions;
  readonly #files: FileOutcome[] = [];
  readonly #notes: string[] = [];

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** A line that does not belong to a file. */
  note(line: string): void {
    this.#notes.push(line);
    if (!this.#options.isJson) printLine(line);
  }

  add(outcome: FileOutcome): void {
    this.#files.push(outcome);
    if (!this.#options.isJson) printOutcome(outcome, this.#options.isDryRun);
  }

  /** Adds files as they are loaded. Returns the exit code. */
  async addAll(outcomes: AsyncIterable<FileOutcome>, rejectLimit: RejectLimit): Promise<number> {
    try {
      for await (const outcome of outcomes) {
        this.add(outcome);
        if (outcome.status === 'loaded') rejectLimit.endOfFile(outcome.rowsRead);
      }
    } catch (error) {
      if (error instanceof TooManyRejects) return this.end(error);
      throw error;
    }
    return this.end();
  }

  /** Prints the total and why the exit code is not 0. Returns the exit code. */
  end(stopped?: Error, codeIfStopped: number = exitCodes.tooManyRejects): number {
    const [exitCode, problem] =
      stopped === undefined ? judge(this.#files) : [codeIfStopped, stopped.message];
    const { isJson, isDryRun } = this.#options;
    const total = totalOf(this.#files);
    if (isJson) {
      const report = { dryRun: isDryRun, exitCode, problem, ...total };
      printLine(JSON.stringify({ ...report, notes: this.#notes, files: this.#files }));
    } else if (this.#files.length > 1) {
      const { rowsRead, loaded, alreadyThere, duplicates, rejected, excluded } = total;
      printLine(
        `total: ${rowsRead} rows read: ${loaded} ${isDryRun ? 'would be loaded' : 'loaded'}, ` +
          `${alreadyThere} already there, ${duplicates} duplicates, ${rejected} rejected` +
          (excluded === 0 ? '' : `, ${excluded} of excluded units left out`),
      );
    }
    if (problem !== null) process.stderr.write(`${problem}\n`);
    return exitCode;
  }
}

function printOutcome(outcome: FileOutcome, isDryRun: boolean): void {
  const name = outcome.test === null ? outcome.file : `${outcome.file}: ${outcome.test}`;
  if (outcome.status !== 'loaded') {
    printLine(`${name}: skipped: ${outcome.reason}`);
    return;
  }
  const [first = '', ...details] = describeLoad(outcome, {
    isDryRun,
    isOfRelease: outcome.test !== null,
  });
  printLine(`${name}: ${first}`);
  for (const detail of details) printLine(`  ${detail}`);
}

function judge(files: readonly FileOutcome[]): readonly [number, string | null] {
  // netpanel watch found nothing to load.
  if (files.length === 0) return [0, null];
  const useless = files.flatMap((file) => problemOf(file) ?? []);
  const usable = files.filter((file) => file.status === 'loaded' && problemOf(file) === undefined);
  if (usable.length === 0) {
    const reasons = useless.length === 0 ? ['no file has a test'] : useless;
    return [exitCodes.nothingLoaded, ['Nothing was loaded.', ...reasons].join('\n  ')];
  }
  const { differing } = totalOf(files);
  if (useless.length === 0 && differing > 0) {
    const rows = `${differing} rows differ from stored results with the same key`;
    return [exitCodes.differing, `${rows}. The stored results were kept; --replace replaces them.`];
  }
  if (useless.length === 0) return [0, null];
  return [exitCodes.partlyLoaded, ['Not every file was loaded.', ...useless].join('\n  ')];
}

function totalOf(files: readonly FileOutcome[]) {
  const loaded = files.flatMap((file) => (file.status === 'loaded' ? [file] : []));
  const sum = (value: (file: (typeof loaded)[number]) => number) =>
    loaded.reduce((total, file) => total + value(file), 0);
  return {
    rowsRead: sum((file) => file.rowsRead),
    loaded: sum((file) => file.loaded),
    alreadyThere: sum((file) => file.alreadyThere),
    duplicates: sum(({ duplicates }) => duplicates.identical + duplicates.different),
    /** From stored results that were kept. */
    differing: sum(({ differing }) => (differing.replaced ? 0 : differing.rows)),
    rejected: sum((file) => file.rejected),
    excluded: sum((file) => file.excluded),
    agentsRegistered: sum((file) => file.agentsRegistered),
  };
}
