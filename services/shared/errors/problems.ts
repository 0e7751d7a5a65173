import { type FieldErrors, validationError } from './app-error.ts';

/** Without a limit, a body with 500,000 invalid values would cause a response of 60 MB. */
const maxFields = 100;

/** Collects the problems of a request, so that all are reported at once. */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Adds a problem of a field, such as `filters[0].id`. Returns null, for parsers to return. */
  add(path: string, message: string): null {
    const messages = this.#messages.get(path);
    if (messages !== undefined) messages.push(message);
    else if (!this.isFull) this.#messages.set(path, [message]);
    return null;
  }

  /** Further fields are not reported. */
  get isFull(): boolean {
    return this.#messages.size >= maxFields;
  }

  get any(): boolean {
    return this.#messages.size > 0;
  }

  get errors(): FieldErrors {
    // fromEntries makes even `__proto__` an ordinary field.
    return Object.fromEntries(this.#messages);
  }

  throwIfAny(): void {
    if (this.any) throw validationError(this.errors);
  }
}
