/** The version of a database is not supported. */
export class UnsupportedVersionError extends Error {
  override readonly name = 'UnsupportedVersionError';
}
