import fc from 'fast-check';
import { propertySeed } from './property-panel.ts';

/**
 * Checks random values one after another; `place` distinguishes the runs of one seed. The first failure ends the run:
 * a smaller case costs ClickHouse minutes to find, and the timeout of the test would hide the error.
 */
export async function forAll<T>(
  values: fc.Arbitrary<T>,
  runs: number,
  check: (value: T) => Promise<void>,
  place = 0,
): Promise<void> {
  const settings = { numRuns: runs, seed: propertySeed + place, endOnFailure: true };
  const result = await fc.check(fc.asyncProperty(values, check), settings);
  if (!result.failed) return;
  const { errorInstance: cause, counterexample, numRuns, numSkips } = result;
  const reason = cause instanceof Error ? cause.message : `${numSkips} values were skipped`;
  throw new Error(
    `${reason}\nvalue ${numRuns} of ${runs}, repeat with PROPERTY_SEED=${propertySeed}: ${JSON.stringify(counterexample?.[0])}`,
    { cause },
  );
}
