import type { ChangeAuthor } from '../../../../openapi/client/index.ts';
import { locale } from '../dom/locale.ts';

/** In UTC: `8 Nov 2026, 09:30`, or `8 Nov 2026` at midnight. `open` is the text of no time. */
export function timeText(instant: string | null, open: string): string {
  if (instant === null) return open;
  const isMidnight = instant.slice(11, 19) === '00:00:00';
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(isMidnight ? {} : { hour: '2-digit', minute: '2-digit' }),
  }).format(new Date(instant));
}

/** `8 Nov 2026, 09:30 by the token “ops”` */
export function recordedText(recordedAt: string, { kind, name }: ChangeAuthor): string {
  const what = kind === 'token' ? 'the token' : 'the import';
  return `${timeText(recordedAt, '')} by ${what}${name === null ? '' : ` “${name}”`}`;
}
