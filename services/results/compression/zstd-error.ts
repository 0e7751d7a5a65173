/** The data is not zstd, damaged, cut short or exceeds a limit. */
export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}
