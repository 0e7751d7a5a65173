import winston from 'winston';
import { redactTokens } from './redact-tokens.ts';

export type Logger = winston.Logger;

/** One JSON line an event, on standard output, with every token blotted out. */
export function createLogger(service: string, level: string): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { service },
    format: winston.format.combine(
      winston.format.timestamp(),
      winston.format.errors({ stack: true }),
      winston.format.json(),
      blotTokens(),
    ),
    transports: [new winston.transports.Console()],
  });
}

/** Works on the finished line, so that no nested field, stack or cause can slip through. */
const blotTokens = winston.format((info) => {
  const line = Symbol.for('message');
  const text = info[line];
  if (typeof text === 'string') info[line] = redactTokens(text);
  return info;
});
