import { AppError, type FieldErrors, validationError } from './app-error.ts';
import { shortened } from './shortened.ts';
import { Warnings } from './warnings.ts';

/** More are not searched for: the work and the response of an invalid request must stay small. */
export const maxProblems = 20;

/** Collects the problems of a request, so that they are reported at once. */
export class Problems {
  /** What does not make the request invalid. */
  readonly warnings = new Warnings();
  readonly #messages = new Map<string, string[]>();
  #count = 0;

  /**
   * Adds a problem of a field, such as `filters[0][id]`. Returns null, for parsers to return. Throws the
   * problems found so far when there are too many, which ends the parsing.
   */
  add(path: string, message: string): null {
    const field = shortened(path);
    this.#messages.set(field, [...(this.#messages.get(field) ?? []), message]);
    this.#count++;
    if (this.#count < maxProblems) return null;
    throw new AppError('VALIDATION_FAIL', { publicMessage: incomplete, errors: this.#errors });
  }

  /** Problems of a part: `metadata[custom]` of the part `followed_by[0]` is `followed_by[0][metadata][custom]`. */
  addPart(part: string, problems: Problems): void {
    for (const [path, lines] of problems.#messages) {
      const [, name = '', rest = ''] = /^([^[]*)(.*)$/s.exec(path) ?? [];
      for (const line of lines) this.add(`${part}[${name}]${rest}`, line);
    }
  }

  throwIfAny(): void {
    if (this.#count > 0) throw validationError(this.#errors);
  }

  get #errors(): FieldErrors {
    // fromEntries makes even `__proto__` an ordinary field.
    return Object.fromEntries(this.#messages);
  }
}

const incomplete = `Validation failed. Only the first ${maxProblems} problems are listed.`;
