import { nearest } from '../../shared/nearest.ts';
import { MappingError, MissingColumnError, UnknownColumnError } from '../mapping-error.ts';

interface Found {
  readonly index: number;
  readonly name: string;
  /** Characters of the expression. */
  readonly length: number;
}

/**
 * The columns of a file, as expressions name them: in upper or lower case, with spaces, and as data frames write them:
 * `Download.speed..Mbit.s.` is `Download speed (Mbit/s)`.
 */
export class SourceColumns {
  readonly #names: string[];
  readonly #lowerNames: string[];
  readonly #isOpen: boolean;

  /** `isOpen`: rows may have further columns. */
  constructor(names: readonly string[], isOpen = false) {
    this.#names = [...names];
    this.#lowerNames = names.map((name) => name.toLowerCase());
    this.#isOpen = isOpen;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Whether rows can have the column. */
  mayHave(name: string): boolean {
    if (this.#lowerNames.includes(name.toLowerCase())) return true;
    if (!this.#isOpen) return this.#indexOf(name) !== -1;
    this.#names.push(name);
    this.#lowerNames.push(name.toLowerCase());
    return true;
  }

  /** The column with this name. Throws a MappingError that suggests a similar one. */
  named(name: string): Omit<Found, 'length'> {
    const index = this.#indexOf(name);
    if (index === -1) throw this.#unknown(name);
    const found = this.#names[index] ?? '';
    if (this.#names.lastIndexOf(found) !== index) {
      throw new MappingError(`the file has several columns ${JSON.stringify(found)}`);
    }
    return { index, name: found };
  }

  /**
   * The longest column name at `at` of the expression: `All hour download speed*8` needs no quotes. `down-time` may be
   * the column down-time or a difference: it is an error if the columns exist for both.
   */
  longestAt(text: string, at: number): Found | undefined {
    const rest = text.slice(at).toLowerCase();
    const matches = this.#lowerNames
      .filter((name) => name !== '' && rest.startsWith(name) && endsAWord(name, rest))
      .sort((a, b) => b.length - a.length);
    const [longest, ...shorter] = matches;
    if (longest === undefined) return undefined;
    const other = shorter.find(
      (name) => name.length < longest.length && startsOperator(longest, name),
    );
    if (other !== undefined) {
      throw new MappingError(
        `${JSON.stringify(longest)} is ambiguous: a column, or an operation with ${JSON.stringify(other)}: ` +
          'write column names in double quotes',
      );
    }
    return { ...this.named(text.slice(at, at + longest.length)), length: longest.length };
  }

  /** `The file has: unit_id, dtime and 3 more.` */
  list(): string {
    const shown = this.#names.slice(0, shownNames).join(', ');
    const more = this.#names.length - shownNames;
    return `The file has: ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
  }

  /** -1 if no column has the name, or several have only its letters and digits. */
  #indexOf(name: string): number {
    const exact = this.#names.indexOf(name);
    if (exact !== -1) return exact;
    const inAnyCase = this.#lowerNames.indexOf(name.toLowerCase());
    if (inAnyCase !== -1) return inAnyCase;
    const wanted = lettersAndDigits(name);
    const like = this.#names.filter((other) => lettersAndDigits(other) === wanted);
    return wanted !== '' && like.length === 1 ? this.#names.indexOf(like[0] ?? '') : -1;
  }

  #unknown(name: string): MappingError {
    const meant = nearest(name, this.#names);
    const problem = `unknown column ${JSON.stringify(name)}.`;
    return meant === undefined
      ? new UnknownColumnError(problem, name)
      : new MissingColumnError(`${problem} Did you mean ${JSON.stringify(meant)}?`, name);
  }
}

const shownNames = 40;

function lettersAndDigits(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

// `down` is not the beginning of `download`.
function endsAWord(name: string, text: string): boolean {
  return !isWordCharacter(name.at(-1)) || !isWordCharacter(text[name.length]);
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_.]/u.test(character);
}

function startsOperator(longer: string, shorter: string): boolean {
  return /^\s*[-+*/]/.test(longer.slice(shorter.length));
}
