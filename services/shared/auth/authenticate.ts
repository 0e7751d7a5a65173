import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import { traced } from '../tracing/traced.ts';
import { setCaller } from '../http/request-context.ts';
import type { Caller } from './caller.ts';

/** Reads the token from the Authorization header; undefined if the format is wrong. */
export type TokenReader = (authorization: string) => string | undefined;

/** For the data interface: the token itself. `Bearer <token>` is accepted too. */
export const plainToken: TokenReader = (authorization) =>
  bearerToken(authorization) ?? authorization;

/** For the metadata interface: `Bearer <token>`, the scheme is case-insensitive. */
export const bearerToken: TokenReader = (authorization) =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

/** Finds the caller of a token; undefined if the token is invalid. */
export interface TokenLookup {
  callerOf(token: string): Promise<Caller | undefined>;
}

/** Sets the caller of a request with a valid token. All other requests get the same 403. */
export function authenticate(tokens: TokenLookup, readToken: TokenReader): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    const token = readToken(req.get('authorization')?.trim() ?? '');
    const caller = await traced('authenticate', {}, () => callerOf(tokens, token));
    if (caller === undefined) throw new AppError('ACCESS_DENIED');
    setCaller(res, caller);
    next();
  };
}

async function callerOf(
  tokens: TokenLookup,
  token: string | undefined,
): Promise<Caller | undefined> {
  return token === undefined || token === '' ? undefined : tokens.callerOf(token);
}
