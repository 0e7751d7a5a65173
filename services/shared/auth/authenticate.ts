import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import { traced } from '../tracing/traced.ts';
import { setCaller } from '../http/request-context.ts';
import type { Caller } from './caller.ts';

/** Reads the token out of the header's value; undefined when it is not in the expected form. */
export type TokenReader = (authorization: string) => string | undefined;

/** The data interface: the token itself. `Bearer <token>` is what most clients send: taken as well. */
export const plainToken: TokenReader = (authorization) =>
  bearerToken(authorization) ?? authorization;

/** The metadata interface: `Bearer <token>`, the scheme in any case. */
export const bearerToken: TokenReader = (authorization) =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

/** Finds the caller of a token; undefined when the token is not valid. */
export interface TokenLookup {
  callerOf(token: string): Promise<Caller | undefined>;
}

/** Lets a request with a good token through; every other one gets the same 403. */
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
