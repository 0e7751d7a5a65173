import { type FieldErrors, validationError } from './app-error.ts';

/** Nobody reads more, and a body of 500,000 wrong values must not make an answer of 60 megabytes. */
const maxFields = 100;

/** Collects what is wrong with a request, so that the caller learns all of it at once. */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Notes a problem of a field, such as `filters[0].id`. Null, for a parser to return as its result. */
  add(path: string, message: string): null {
    const messages = this.#messages.get(path);
    if (messages !== undefined) messages.push(message);
    else if (!this.isFull) this.#messages.set(path, [message]);
    return null;
  }

  /** So many fields are wrong that the rest will not be told: no need to look at them. */
  get isFull(): boolean {
    return this.#messages.size >= maxFields;
  }

  get any(): boolean {
    return this.#messages.size > 0;
  }

  get errors(): FieldErrors {
    // fromEntries makes even `__proto__` an ordinary field of the answer.
    return Object.fromEntries(this.#messages);
  }

  throwIfAny(): void {
    if (this.any) throw validationError(this.errors);
  }
}
