import { validationError } from '../../shared/errors/app-error.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';

/** The metadata version that a request demands; undefined without the header. */
export function parseMetadataVersion(text: string | undefined): number | undefined {
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
