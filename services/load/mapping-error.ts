/** An expression or mapping that cannot be used, whatever the rows are. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** The file has neither the column nor one with a similar name. */
export class UnknownColumnError extends MappingError {}
