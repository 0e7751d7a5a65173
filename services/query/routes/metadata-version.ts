import type { RequestHandler, Response } from 'express';
import type { MetadataVersions } from '../../registry/versions/metadata-versions.ts';
import { validationError } from '../../shared/errors/app-error.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { PublishedMetadata } from '../access/published-metadata.ts';
import { whileConnected } from '../../shared/http/client-disconnect.ts';

/**
 * Reads the metadata version that the response will use, sends it as a header, and first waits for the version
 * that the request demands. Must come before the request takes a slot.
 */
export function metadataVersion(metadata: PublishedMetadata): RequestHandler {
  return async (req, res, next) => {
    const { organisationId } = callerOf(res);
    const demanded = parseMetadataVersion(req.get(metadataVersionHeader));
    const versions =
      demanded === undefined
        ? await metadata.versionsOf(organisationId)
        : await whileConnected(res, (signal) => metadata.waitFor(organisationId, demanded, signal));
    if (versions === undefined) return;
    (res.locals as VersionLocals).metadataVersions = versions;
    res.set(metadataVersionHeader, String(versions.published));
    next();
  };
}

/** The metadata version that a request demands; undefined without the header. */
function parseMetadataVersion(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // At most 15 digits: larger numbers may not be exact.
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw validationError({
    [metadataVersionHeader]: [
      `${JSON.stringify(shortened(text))} is not a metadata version. Send a whole number of at most 15 ` +
        `digits, such as the ${metadataVersionHeader} of the response to PUT /metadata.`,
    ],
  });
}

interface VersionLocals {
  metadataVersions?: MetadataVersions;
}

/** The versions that were read before the query: it sees at least the published one. */
export function metadataVersionsOf(res: Response): MetadataVersions {
  const { metadataVersions } = res.locals as VersionLocals;
  if (metadataVersions === undefined) throw new Error('the route does not read metadata versions');
  return metadataVersions;
}

/** A warning if a change is not published yet, or none. */
export function metadataWarnings(res: Response): readonly Warning[] {
  const { current, published } = metadataVersionsOf(res);
  if (published >= current) return [];
  return [
    {
      code: 'METADATA_BEHIND',
      message:
        `Version ${published} of your organisation's metadata was used, and ${current} is the current one: recent ` +
        `changes may be missing. Send the header ${metadataVersionHeader}: ${current} to wait for them.`,
    },
  ];
}
