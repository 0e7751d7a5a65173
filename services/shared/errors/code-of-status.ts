import { errorCodes } from './error-codes.ts';

/** OK, or the error code of a status; empty if no code has this status. */
export function codeOfStatus(status: number): string {
  if (status < 300) return 'OK';
  const found = Object.entries(errorCodes).find(([, entry]) => entry.status === status);
  return found?.[0] ?? '';
}
