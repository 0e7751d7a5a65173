import { type FieldErrors, validationError } from './app-error.ts';
import { shortened } from './shortened.ts';
import { type Warning, Warnings } from './warnings.ts';

/** More are not searched for: the work and the response of an invalid request must stay small. */
export const maxProblems = 20;

/** Collects the problems of a request, so that they are reported at once. */
export class Problems {
  /** Problems that do not reject the request. */
  readonly warnings: Warnings;
  readonly #messages = new Map<string, string[]>();
  #count = 0;

  constructor(warnings = new Warnings()) {
    this.warnings = warnings;
  }

  /**
   * Adds a problem of a field, such as `filters[0][id]`. Returns null, for parsers to return. Throws the
   * problems found so far when there are too many, which ends the parsing.
   */
  add(path: string, message: string): null {
    const field = shortened(path);
    this.#count++;
    const isLast = this.#count === maxProblems;
    this.#messages.set(field, [
      ...(this.#messages.get(field) ?? []),
      message,
      ...(isLast ? [incomplete] : []),
    ]);
    if (!isLast) return null;
    throw validationError(this.#errors);
  }

  /** For a part of the request: its `metadata[custom]` is `followed_by[0][metadata][custom]` of the whole. */
  ofPart(part: string): Problems {
    return new ProblemsOfPart(this, part);
  }

  throwIfAny(): void {
    if (this.#count > 0) throw validationError(this.#errors);
  }

  get #errors(): FieldErrors {
    // fromEntries makes even `__proto__` an ordinary field.
    return Object.fromEntries(this.#messages);
  }
}

class ProblemsOfPart extends Problems {
  readonly #whole: Problems;
  readonly #part: string;

  constructor(whole: Problems, part: string) {
    super(new WarningsOfPart(whole.warnings, part));
    this.#whole = whole;
    this.#part = part;
  }

  override add(path: string, message: string): null {
    return this.#whole.add(pathOfPart(this.#part, path), message);
  }
}

class WarningsOfPart extends Warnings {
  readonly #whole: Warnings;
  readonly #part: string;

  constructor(whole: Warnings, part: string) {
    super();
    this.#whole = whole;
    this.#part = part;
  }

  override get isFull(): boolean {
    return this.#whole.isFull;
  }

  override add(code: Warning['code'], field: string, message: string): void {
    this.#whole.add(code, pathOfPart(this.#part, field), message);
  }
}

function pathOfPart(part: string, path: string): string {
  const [, name = '', rest = ''] = /^([^[]*)(.*)$/s.exec(path) ?? [];
  return `${part}[${name}]${rest}`;
}

/** After the message of the last field: the `message` of a response is that of its code, as in the specification. */
const incomplete = `Only the first ${maxProblems} problems are listed.`;
