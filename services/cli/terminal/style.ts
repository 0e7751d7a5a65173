import { type Environment } from '../../shared/config/read-settings.ts';
import { processEnvironment } from '../config.ts';

/** A stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean | undefined;
}

/** Colours text for one output. Without a terminal, or with NO_COLOR or TERM=dumb, the text stays as it is. */
export type Style = (text: string, ...looks: readonly Look[]) => string;

const codes = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;

export type Look = keyof typeof codes;

export function styleFor(
  output: Output,
  { NO_COLOR, TERM }: Environment = processEnvironment(),
): Style {
  const isColoured = output.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
  if (!isColoured) return (text) => text;
  return (text, ...looks) =>
    `\u001b[${looks.map((look) => codes[look]).join(';')}m${text}\u001b[0m`;
}
