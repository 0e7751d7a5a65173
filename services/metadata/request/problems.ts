import { validationError } from '../../shared/errors/app-error.ts';

/** Everything wrong with a request, gathered so that the caller hears of it in one answer. */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Returns null, which stands for a value that was given and is wrong. */
  add(path: string, message: string): null {
    const messages = this.#messages.get(path);
    if (messages === undefined) this.#messages.set(path, [message]);
    else messages.push(message);
    return null;
  }

  throwIfAny(): void {
    // fromEntries makes even `__proto__` an ordinary field of the answer.
    if (this.#messages.size > 0) throw validationError(Object.fromEntries(this.#messages));
  }
}
