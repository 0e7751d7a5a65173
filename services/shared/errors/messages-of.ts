/** The message of an error and its causes in one line: `the file cannot be read: EACCES: permission denied`. */
export function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  return error.cause === undefined ? own : `${own}: ${messagesOf(error.cause)}`;
}
