import type { RejectedRow } from '../../../results/rows/scanned-rows.ts';

/** --strict: the file has an invalid row. */
export class InvalidRowError extends Error {
  override readonly name = 'InvalidRowError';
  /** The message without values of the file. */
  readonly rule: string;

  constructor({ line, reason, group, value, text }: RejectedRow) {
    const not = value === '' ? '' : `, not ${JSON.stringify(value)}`;
    super(`line ${line}: ${reason}${not}: ${text.toString().slice(0, 200)}`);
    this.rule = `line ${line}: ${group ?? reason}`;
  }
}
