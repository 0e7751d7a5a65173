import type { Request, RequestHandler, Response } from 'express';
import { findPackage } from '../../registry/packages.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { sendOk, type SuccessBody } from '../../shared/http/envelope.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { slotWhileConnected } from '../../shared/slots/slot-while-connected.ts';
import { postgresSpanAttributes } from '../../shared/postgres/postgres-span-attributes.ts';
import { traced } from '../../shared/tracing/traced.ts';
import { type AppliedChange, applyChange } from '../history/apply-change.ts';
import { overrideWarnings } from '../history/overridden-changes.ts';
import { parseMetadataChange } from '../request/parse-metadata-change.ts';
import type { MetadataTools } from './metadata-tools.ts';

export function putMetadata(tools: MetadataTools): RequestHandler {
  const { requests, changes, slots, config, onChange } = tools;
  return async (req: Request, res: Response) => {
    if (req.is('application/json') === false) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
    const now = new Date();
    const caller = callerOf(res);
    const body: unknown = req.body;
    // Before a connection is taken: a queue of one organisation must not hold those of others. A client that
    // disconnects while it is queued may send the change again. One that has begun is completed.
    const release = await slotWhileConnected(slots, res);
    if (release === undefined) return;
    let response: SuccessBody;
    try {
      const isDryRun = parseDryRun(req.query.dry_run);
      const change = await parseMetadataChange(
        body,
        now,
        (name) => findPackage(requests, caller.organisationId, name),
        config,
      );
      if (isDryRun && change.followedBy.length > 0) {
        throw validationError({
          dry_run: ['A dry run of a change with followed_by is not possible.'],
        });
      }
      const lockTimeoutMs = config.changeLockTimeoutMs;
      const applied = await traced('database', postgresSpanAttributes('change'), () =>
        applyChange(changes, change, {
          caller,
          body,
          now,
          lockTimeoutMs,
          limits: config,
          isDryRun,
        }),
      );
      if (applied.matchedAgents === 0) throw new AppError('NOT_FOUND');
      const warnings = overrideWarnings(applied.overridden);
      if (isDryRun) {
        response = { ...dryRunResponse(applied), warnings };
      } else {
        if (applied.changedHistory) onChange();
        res.set(metadataVersionHeader, String(applied.metadataVersion));
        response = { message: 'Metadata updated successfully', warnings };
      }
    } finally {
      release();
    }
    await sendOk(res, response);
  };
}

function parseDryRun(value: unknown): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw validationError({ dry_run: ['This value should be true or false.'] });
}

function dryRunResponse({ matchedAgents, dryRun = [] }: AppliedChange): SuccessBody {
  return {
    message: 'Dry run: nothing was changed',
    data: { agents: matchedAgents, changes: dryRun },
  };
}
