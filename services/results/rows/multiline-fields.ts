/**
 * A quoted field over several lines. Often its quote is stray, and the field contains the rows up to the next
 * quote.
 */
export interface MultilineField {
  readonly column: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The beginning of the field. */
  readonly text: string;
}

/** Of valid rows. */
export interface MultilineFields {
  readonly rows: number;
  readonly first: MultilineField;
}

/** A field whose lines are counted from that of its row. */
export function inFile(field: MultilineField, rowLine: number): MultilineField {
  const { firstLine, lastLine } = field;
  return { ...field, firstLine: rowLine + firstLine, lastLine: rowLine + lastLine };
}

/** `the quoted field target goes from line 3 to line 7` */
export function describeMultiline({ column, firstLine, lastLine }: MultilineField): string {
  return `the quoted field ${column || 'of a column'} goes from line ${firstLine} to line ${lastLine}`;
}
