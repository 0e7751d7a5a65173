import { validationError } from '../../shared/errors/app-error.ts';

/** Nobody reads more, and a body of 100,000 wrong keys must not make an answer of ten megabytes. */
const maxFields = 100;

/** Everything wrong with a request, gathered so that the caller hears of it in one answer. */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Returns null, which stands for a value that was given and is wrong. */
  add(path: string, message: string): null {
    const messages = this.#messages.get(path);
    if (messages !== undefined) messages.push(message);
    else if (this.#messages.size < maxFields) this.#messages.set(path, [message]);
    return null;
  }

  throwIfAny(): void {
    // fromEntries makes even `__proto__` an ordinary field of the answer.
    if (this.#messages.size > 0) throw validationError(Object.fromEntries(this.#messages));
  }
}
