/** Valid arguments, but an input that they do not fit: exit code 2, without the usage. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
}
