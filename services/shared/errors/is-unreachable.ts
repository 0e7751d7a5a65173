/** Whether an error says that a store could not be reached, or was lost on the way. */
export function isUnreachable(error: unknown): boolean {
  const { code, name, message } = (error ?? {}) as Record<string, unknown>;
  return (
    (typeof code === 'string' && unreachableCodes.has(code)) ||
    // No free connection to Postgres in time.
    name === 'KnexTimeoutError' ||
    lostMessages.some((ending) => String(message).endsWith(ending)) ||
    (error instanceof Error && noAnswerOfAStore.test(error.message.trim()))
  );
}

/**
 * What the ClickHouse client has instead of an error of ClickHouse, without the status that came with
 * it: nothing at all, or the page or the line of a proxy before it (nginx, HAProxy, Traefik, Envoy).
 */
const noAnswerOfAStore =
  /^$|^<(!doctype )?html|^(no healthy )?upstream\b|^(bad gateway|service unavailable|gateway timeout)$/i;

/** Of errors that have no code. knex puts the statement before them: `select 1 - Connection terminated`. */
const lostMessages = [
  // An answer of ClickHouse that ended early, or did not come.
  'aborted',
  'Timeout error.',
  'socket hang up',
  // A connection to Postgres that ended during a statement, or before it was one.
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'connection error and is not queryable',
  'Client was closed and is not queryable',
];

const unreachableCodes = new Set([
  // Node's, for a connection that could not be made or did not last.
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Postgres': it is shutting down, has crashed, or is starting.
  '57P01',
  '57P02',
  '57P03',
]);
