import { HeaderError } from '../results/columns/file-plan.ts';

/** An expression or mapping that is invalid for all rows. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** The file does not have the column. */
export class MissingColumnError extends MappingError {
  readonly column: string;

  constructor(problem: string, column: string) {
    super(problem);
    this.column = column;
  }
}

/** The file has neither the column nor one with a similar name. */
export class UnknownColumnError extends MissingColumnError {}

/** A file that its mapping refuses as a whole: nothing of it is stored, and the exit code is 2. */
export class RefusedFileError extends HeaderError {}
