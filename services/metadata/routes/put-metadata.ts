import type { RequestHandler } from 'express';
import { findPackage } from '../../registry/organisations/packages.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { postgresNow } from '../../shared/postgres/postgres-clock.ts';
import { tracedDatabase } from '../../shared/tracing/traced.ts';
import { applyChange } from '../history/apply-change.ts';
import { overrideWarnings } from '../history/overridden-changes.ts';
import { parseMetadataChange } from '../request/parse-metadata-change.ts';
import type { MetadataTools } from './metadata-tools.ts';

/** Before it waits for a slot. */
export const requireJson: RequestHandler = (req, _res, next) => {
  if (req.is('application/json') === false) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  next();
};

export function putMetadata(tools: MetadataTools): RequestHandler {
  const { requests, changes, config, onChange } = tools;
  return async (req, res) => {
    const caller = callerOf(res);
    const body: unknown = req.body;
    const isDryRun = parseDryRun(req.query.dry_run);
    const now = await postgresNow(requests);
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
    const applied = await tracedDatabase('change', () =>
      applyChange(changes, change, {
        caller,
        body,
        now,
        lockTimeoutMs: config.changeLockTimeoutMs,
        limits: config,
        isDryRun,
      }),
    );
    if (applied.matchedAgents === 0) throw new AppError('NOT_FOUND');
    const warnings = overrideWarnings(applied.overridden);
    if (isDryRun) {
      const data = { agents: applied.matchedAgents, changes: applied.dryRun ?? [] };
      await sendOk(res, { message: 'Dry run: nothing was changed', data, warnings });
      return;
    }
    if (applied.changedHistory) onChange();
    res.set(metadataVersionHeader, String(applied.metadataVersion));
    await sendOk(res, { message: 'Metadata updated successfully', warnings });
  };
}

function parseDryRun(value: unknown): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw validationError({ dry_run: ['This value should be true or false.'] });
}
