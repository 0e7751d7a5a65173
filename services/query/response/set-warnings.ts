import type { Response } from 'express';
import type { Warning } from '../../shared/errors/warnings.ts';

/** Many proxies refuse a response with more than 8 KB of headers. */
const maxBytes = 4_096;

const incomplete: Warning = {
  code: 'MORE_WARNINGS',
  message: 'Not all warnings fit into this header. Request application/json to read all.',
};

/** Sends warnings as a JSON array in `Netpanel-Warnings`, for formats without an envelope. */
export function setWarnings(res: Response, warnings: readonly Warning[]): void {
  if (warnings.length > 0) res.set('Netpanel-Warnings', warningsHeader(warnings));
}

/** At most 4 KB of printable ASCII. */
function warningsHeader(warnings: readonly Warning[]): string {
  const whole = asciiJson(warnings);
  if (whole.length <= maxBytes) return whole;
  const texts = warnings.map(asciiJson);
  const last = asciiJson(incomplete);
  while (`[${[...texts, last].join(',')}]`.length > maxBytes) texts.pop();
  return `[${[...texts, last].join(',')}]`;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
