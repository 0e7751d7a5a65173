/** An expression or mapping that is invalid for all rows. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** The file has neither the column nor one with a similar name. */
export class UnknownColumnError extends MappingError {}
