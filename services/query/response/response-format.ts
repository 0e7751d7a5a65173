import type { Request } from 'express';

/** The media types of data responses. */
export const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

export type ResponseFormat = keyof typeof mediaTypes;

/** The format that the client prefers by `Accept`; JSON if it accepts none, since clients expect it. */
export function responseFormat(req: Request): ResponseFormat {
  const accepted = req.accepts(Object.values(mediaTypes));
  if (accepted === mediaTypes.ndjson) return 'ndjson';
  return accepted === mediaTypes.csv ? 'csv' : 'json';
}
