/** An option or argument of a command is invalid: the program prints the message and how the command is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
