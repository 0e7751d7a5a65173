import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import { traced } from '../tracing/traced.ts';
import { setCaller } from './request-context.ts';
import type { Caller } from '../auth/caller.ts';

/** Reads the token from the Authorization header; undefined if the format is wrong. */
export type TokenReader = (authorization: string) => string | undefined;

/** For the data interface: the token itself. `Bearer <token>` is accepted too. */
export const plainToken: TokenReader = (authorization) =>
  bearerToken(authorization) ?? authorization;

/** For the metadata interface: `Bearer <token>`, the scheme is case-insensitive. */
export const bearerToken: TokenReader = (authorization) =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

export interface TokenLookup {
  /** Undefined if the token is invalid. */
  callerOf(token: string): Promise<Caller | undefined>;
  /** Whether the token was valid when it was last looked up. Costs no lookup. */
  isKnown(token: string): boolean;
}

/** Sets the caller of a request with a valid token. All other requests get the same 403. */
export function authenticate(tokens: TokenLookup, readToken: TokenReader): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    const token = tokenOf(req, readToken);
    const caller = await traced('authenticate', {}, () => callerOf(tokens, token));
    if (caller === undefined) throw new AppError('ACCESS_DENIED');
    setCaller(res, caller);
    next();
  };
}

/** Whether a request has a token that was valid before. */
export function hasKnownToken(
  tokens: TokenLookup,
  readToken: TokenReader,
): (req: Request) => boolean {
  return (req) => {
    const token = tokenOf(req, readToken);
    return token !== undefined && tokens.isKnown(token);
  };
}

function tokenOf(req: Request, readToken: TokenReader): string | undefined {
  return readToken(req.get('authorization')?.trim() ?? '');
}

async function callerOf(
  tokens: TokenLookup,
  token: string | undefined,
): Promise<Caller | undefined> {
  return token === undefined || token === '' ? undefined : tokens.callerOf(token);
}
