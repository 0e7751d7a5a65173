import { validationError, type FieldErrors } from '../../shared/errors/app-error.ts';

/** Collects what is wrong with a request, so that the caller learns all of it at once. */
export class Problems {
  readonly #messages = new Map<string, string[]>();

  /** Notes a problem of a field, such as `filters[0].id`. Null, for a parser to return as its result. */
  add(path: string, message: string): null {
    this.#messages.set(path, [...(this.#messages.get(path) ?? []), message]);
    return null;
  }

  get any(): boolean {
    return this.#messages.size > 0;
  }

  get errors(): FieldErrors {
    return Object.fromEntries(this.#messages);
  }

  throwIfAny(): void {
    if (this.any) throw validationError(this.errors);
  }
}
