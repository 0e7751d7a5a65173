import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { InvalidInput } from '../../shared/errors/invalid-input.ts';

/** Labels of TextDecoder. windows-1252 contains Latin-1: browsers read both as windows-1252. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Values of --encoding. */
export const encodingNames: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

/** For messages. */
export function encodingTitle(encoding: Encoding): string {
  return encoding === 'windows-1252' ? 'Latin-1 (windows-1252)' : encoding.toUpperCase();
}

/** A small file, or - for standard input, in the encoding that its bytes have. */
export function readTextFile(path: string): string {
  try {
    const bytes = readFileSync(path === '-' ? 0 : path);
    return new TextDecoder(detectEncoding(bytes, true)).decode(bytes);
  } catch (error) {
    throw new InvalidInput(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The encoding of a text from its first bytes. UTF-16 has a byte-order mark or a zero byte in every
 * Latin letter. Latin-1 is assumed for bytes that are not UTF-8, unless other characters are.
 */
export function detectEncoding(head: Buffer, isWholeFile: boolean): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = zeroBytes(head.subarray(0, 512));
  if (zeros.odd > zeros.even && zeros.odd >= 4) return 'utf-16le';
  if (zeros.even > zeros.odd && zeros.even >= 4) return 'utf-16be';
  const text = isWholeFile ? head : withoutCutCharacter(head);
  return isUtf8(text) || hasUtf8Characters(text) ? 'utf-8' : 'windows-1252';
}

function zeroBytes(head: Buffer): { readonly even: number; readonly odd: number } {
  let [even, odd] = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0 && i % 2 === 0) even++;
    else if (byte === 0) odd++;
  });
  // Zero bytes in both places are binary data, not text.
  return even > 0 && odd > 0 && Math.min(even, odd) * 4 > Math.max(even, odd)
    ? { even: 0, odd: 0 }
    : { even, odd };
}

/** The end of `head` may be in the middle of a character of up to four bytes. */
function withoutCutCharacter(head: Buffer): Buffer {
  for (let cut = 0; cut < 4 && cut < head.length; cut++) {
    const byte = head[head.length - 1 - cut] ?? 0;
    if (byte < 0x80) return head;
    if (byte >= 0xc0) return head.subarray(0, head.length - 1 - cut);
  }
  return head;
}

// é is c3 a9 in UTF-8. In Latin-1 that is Ã©, which no text has.
function hasUtf8Characters(text: Buffer): boolean {
  return /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}/.test(
    text.toString('latin1'),
  );
}
