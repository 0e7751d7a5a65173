/** The counts of a test run. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The results of one test file. */
export interface FileResult extends Tally {
  /** Path of the compiled file; empty for errors outside of the tests. */
  readonly file: string;
  /** One line for each failed test. */
  readonly failures: readonly string[];
  readonly seconds: number;
  /** CPU time of the test process, its stack and all other processes that the file started. */
  readonly cpuSeconds: number;
}

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: 0 };

export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    emptyTally,
  );
}

/** The last line of the output, which CI and `make test-engines` parse. */
export function summaryLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
