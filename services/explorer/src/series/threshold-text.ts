import type { Metric } from '../../../../openapi/client/index.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';

/** What the mean of a household must be to count: `at least 30 Mbit/s`, and of a delay `below 30 ms`. */
export function thresholdText(
  threshold: number,
  { unit, better }: Pick<Metric, 'unit' | 'better'>,
): string {
  const limit = `${shortNumber(threshold)} ${unitText(unit)}`;
  return better === 'lower' ? `below ${limit}` : `at least ${limit}`;
}
