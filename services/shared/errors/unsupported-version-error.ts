/** A store of a version that netpanel does not work with. */
export class UnsupportedVersionError extends Error {
  override readonly name = 'UnsupportedVersionError';
}
