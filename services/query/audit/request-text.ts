import type { Request } from 'express';
import { redactOwnTokens } from '../../shared/logging/redact-tokens.ts';
import { shortenedJson } from './shortened-json.ts';

/** The request as it is stored: its body, or the parameters of its path and query, as JSON. */
export function requestText(req: Request, instead?: object): string {
  const content = instead ?? (req.body as unknown) ?? parametersOf(req);
  return content === undefined ? '' : storedRequest(content);
}

/** Longer than most requests, and short enough for a row. */
const maxBytes = 65_536;

export function storedRequest(content: unknown): string {
  return shortenedJson(redactOwnTokens(JSON.stringify(content)), maxBytes);
}

// The OpenAPI validator's parameters: Express forgets its own when a route throws.
function parametersOf(req: Request): object | undefined {
  const { openapi } = req as { openapi?: { pathParams?: Record<string, string> } };
  const parameters = { ...openapi?.pathParams, ...req.query };
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}
