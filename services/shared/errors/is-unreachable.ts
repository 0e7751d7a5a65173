/** Whether an error says that a store could not be reached, or was lost on the way. */
export function isUnreachable(error: unknown): boolean {
  const { code, name, message } = (error ?? {}) as Record<string, unknown>;
  return (
    (typeof code === 'string' && unreachableCodes.has(code)) ||
    // No free connection to Postgres in time.
    name === 'KnexTimeoutError' ||
    // An answer of ClickHouse that ended early, or did not come.
    message === 'aborted' ||
    message === 'Timeout error.'
  );
}

const unreachableCodes = new Set([
  // Node's, for a connection that could not be made or did not last.
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH'],
  // Postgres': it is shutting down, has crashed, or is starting.
  ...['57P01', '57P02', '57P03'],
]);
