import type { ByteRange } from '../store/object-store.ts';

/**
 * What a `Range` header asks of a file: a part, all of it (none asked, or several at once, which a
 * server may ignore), or something that lies outside of it.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'all' | 'outside' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (match === null) return 'all';
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return 'all';
  // bytes=-5 are the last five.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && from !== '' && Number(to) < Number(from)) return 'all';
  return first > last ? 'outside' : { first, last };
}
