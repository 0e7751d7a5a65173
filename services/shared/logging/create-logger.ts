import winston from 'winston';
import { redactTokens } from './redact-tokens.ts';

export type Logger = winston.Logger;

/** Logs one JSON line per event to standard output, with all tokens redacted. */
export function createLogger(service: string, level: string): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { service },
    format: winston.format.combine(
      winston.format.timestamp(),
      winston.format.errors({ stack: true }),
      winston.format.json(),
      redactLine(),
    ),
    transports: [new winston.transports.Console()],
  });
}

/** Redacts the formatted line, including nested fields, stacks and causes. */
const redactLine = winston.format((info) => {
  const line = Symbol.for('message');
  const text = info[line];
  if (typeof text === 'string') info[line] = redactTokens(text);
  return info;
});
