/** An option or argument of a command is invalid: the program prints the message and how the command is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of an option. Throws a UsageError. */
export function wholeNumber(text: string, option: string, min = 1): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new UsageError(`--${option} must be a whole number of at least ${min}, not "${text}"`);
}
