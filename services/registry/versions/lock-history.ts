import type { Knex } from 'knex';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';

const retryAfterS = 5;

/**
 * Serialises the changes of an organisation. With row locks, two large changes would deadlock. Throws
 * RATE_LIMITED after the timeout; without one, for the command line, waits for as long as it takes.
 */
export async function lockHistory(
  transaction: Knex.Transaction,
  organisationId: number,
  timeoutMs = 0,
): Promise<void> {
  // In Postgres, too, 0 means no timeout.
  await transaction.raw("select set_config('lock_timeout', ?, true)", [String(timeoutMs)]);
  try {
    await waitForLock(transaction, lockTable.history(organisationId));
  } catch (error) {
    throw isLockTimeout(error) ? otherChangeRuns(error) : error;
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}

function otherChangeRuns(cause: unknown): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: 'Another change of your organisation is still running. Please retry shortly.',
    headers: retryAfter(retryAfterS),
    cause,
  });
}
