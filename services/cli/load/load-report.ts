import { printLine, printNote } from '../print.ts';
import { describeLoad } from '../../load/summary/describe-load.ts';
import { describeTotal, exitCodes, judgeLoad, totalOf } from '../../load/summary/load-total.ts';
import type { FileOutcome } from '../../load/summary/load-summary.ts';
import { type RejectLimit, TooManyRejects } from '../../load/blocks/rejects.ts';

interface ReportOptions {
  readonly isJson: boolean;
  readonly isDryRun: boolean;
}

/** Collects the outcome of each file. Prints it at once, or with --json at the end. */
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
      stopped === undefined ? judgeLoad(this.#files) : [codeIfStopped, stopped.message];
    const { isJson, isDryRun } = this.#options;
    const total = totalOf(this.#files);
    if (isJson) {
      const report = { dryRun: isDryRun, exitCode, problem, ...total };
      printLine(JSON.stringify({ ...report, notes: this.#notes, files: this.#files }));
    } else if (this.#files.length > 1) {
      printLine(describeTotal(total, isDryRun));
    }
    if (problem !== null) printNote(problem);
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
