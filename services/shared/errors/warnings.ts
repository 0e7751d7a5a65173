import { redactOwnTokens } from '../logging/redact-tokens.ts';
import { shortened } from './shortened.ts';

/** Something that a client may not expect of a successful response. */
export interface Warning {
  readonly code: WarningCode;
  /** The field of the request, such as `filters[0][id]`. */
  readonly field?: string;
  readonly message: string;
}

type WarningCode =
  | 'UNKNOWN_FIELD'
  | 'UNKNOWN_VALUE'
  | 'LITERAL_VALUE'
  | 'PERIOD_START'
  | 'NO_RESULTS'
  | 'MASKED_VALUES'
  | 'METADATA_BEHIND'
  | 'OVERRIDES_LATER_CHANGES'
  | 'MORE_WARNINGS';

/** More are not searched for: the work and the response must stay small. */
export const maxWarnings = 20;

/** Collects the warnings of a request. */
export class Warnings {
  readonly #warnings: Warning[];

  constructor(found: readonly Warning[] = []) {
    this.#warnings = [...found];
  }

  get isFull(): boolean {
    return this.#warnings.length >= maxWarnings;
  }

  add(code: WarningCode, field: string, message: string): void {
    if (this.isFull) return;
    // Warnings repeat values of the request, and clients log them.
    this.#warnings.push({
      code,
      field: redactOwnTokens(shortened(field)),
      message: redactOwnTokens(message),
    });
  }

  get list(): readonly Warning[] {
    return this.isFull ? [...this.#warnings, incomplete] : this.#warnings;
  }
}

const incomplete: Warning = {
  code: 'MORE_WARNINGS',
  message: `Only the first ${maxWarnings} warnings are listed.`,
};
