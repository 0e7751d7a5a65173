/**
 * Whether an error means that a database or store is unreachable or out of resources, or that the connection was lost:
 * the same request may succeed later.
 */
export function isUnreachable(error: unknown): boolean {
  const { code, name, message } = (error ?? {}) as Record<string, unknown>;
  return (
    (typeof code === 'string' && unreachableCodes.has(code)) ||
    // No free Postgres connection before the timeout.
    name === 'KnexTimeoutError' ||
    lostMessages.some((ending) => String(message).endsWith(ending)) ||
    (error instanceof Error && proxyResponse.test(error.message.trim()))
  );
}

/**
 * Error messages of the ClickHouse client when a proxy (nginx, HAProxy, Traefik, Envoy) responds
 * instead of ClickHouse: empty, an HTML page, or one line.
 */
const proxyResponse =
  /^$|^<(!doctype )?html|^(no healthy )?upstream\b|^(bad gateway|service unavailable|gateway timeout)$/i;

/** Errors without a code. knex adds the statement in front: `select 1 - Connection terminated`. */
const lostMessages = [
  // ClickHouse: the response ended early, or there was none.
  'aborted',
  'Timeout error.',
  'socket hang up',
  // Postgres: the connection ended during a statement, or while connecting.
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'connection error and is not queryable',
  'Client was closed and is not queryable',
];

const unreachableCodes = new Set([
  // Node: the connection failed or was lost.
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Postgres: disk full, out of memory, too many connections, a failed write.
  '53100',
  '53200',
  '53300',
  '58030',
  // Postgres: shutting down, crashed, starting.
  '57P01',
  '57P02',
  '57P03',
]);
