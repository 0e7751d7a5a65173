import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type Options } from 'express-rate-limit';
import { metricsOf, type Registry } from '../metrics.ts';
import type { SettingValues } from '../config/read-settings.ts';
import { AppError } from '../errors/app-error.ts';
import { callerOf, knownCallerOf } from '../http/request-context.ts';
import type { Logger } from '../logging/create-logger.ts';
import { BoundedCounts } from './bounded-counts.ts';
import type { rateLimitSettings } from '../config/rate-limit-settings.ts';

interface RateLimitParts {
  readonly config: SettingValues<typeof rateLimitSettings>;
  /** Whether the token of a request was valid before. Such a request is limited by its token only. */
  readonly hasKnownToken: (req: Request) => boolean;
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * The limits per minute. A known token is not limited by its address, because clients behind one proxy share it and could
 * lock each other out.
 */
export function rateLimits({ config, hasKnownToken, logger, registry }: RateLimitParts) {
  const refused = metricsOf(registry).counter(
    'netpanel_rate_limited_total',
    'Requests refused by a rate limit.',
    'policy',
  );

  function limit(policy: Policy, perMinute: number, options: Partial<Options>): RequestHandler {
    if (perMinute === 0) return (_req, _res, next) => next();
    return rateLimit({
      windowMs: 60_000,
      limit: perMinute,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      identifier: policy,
      store: new BoundedCounts(),
      logger: warningsTo(logger),
      handler: (_req, _res, next) => {
        refused.inc({ policy });
        next(tooMany(policy, perMinute));
      },
      ...options,
    });
  }

  return {
    /** Before everything else: requests of an address. */
    byAddress: limit('address', config.rateLimitAddressPerMinute, { skip: hasKnownToken }),
    /** Before authentication: invalid tokens from an address. */
    failures: limit('failures', config.rateLimitFailuresPerMinute, {
      skip: hasKnownToken,
      skipSuccessfulRequests: true,
      requestWasSuccessful: (_req, res) => knownCallerOf(res) !== undefined,
    }),
    /** After authentication: requests and, separately, listings with a token. */
    byToken: [
      limit('token', config.rateLimitTokenPerMinute, { keyGenerator: tokenKey, skip: isListing }),
      limit('listings', config.rateLimitListingsPerMinute, {
        keyGenerator: tokenKey,
        skip: (req) => !isListing(req),
      }),
    ],
  };
}

type Policy = keyof typeof limitedText;

/** What a policy limits, for the message to the client. */
const limitedText = {
  address: 'requests per minute from an address without a valid token',
  failures: 'requests per minute from an address with an invalid token',
  token: 'requests per minute with a token',
  listings: 'GET requests per minute with a token',
};

/** The limiter has already set Retry-After. */
function tooMany(policy: Policy, perMinute: number): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: `The limit is ${perMinute} ${limitedText[policy]}. Retry after the seconds in Retry-After.`,
  });
}

function tokenKey(_req: Request, res: Response): string {
  return String(callerOf(res).tokenId);
}

function isListing({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The limiter warns once about a likely misconfiguration, such as X-Forwarded-For without TRUST_PROXY. */
function warningsTo(logger: Logger): Options['logger'] {
  const warn = (error: unknown) =>
    logger.warn('rate limits: check TRUST_PROXY', { error: String(error) });
  return { warn, error: warn };
}
