import { validationError } from '../../shared/errors/app-error.ts';
import type { QueryParams } from '../../shared/sql/print-query.ts';

// Values are sent in the URL of ClickHouse's HTTP interface, by default at most 1 MiB
// (http_max_uri_size). The rest is for settings and names.
const maxValueBytes = 1_000_000;

/** Throws VALIDATION_FAIL if the values would exceed the maximum URL length of ClickHouse. */
export function rejectLongParams(params: QueryParams): void {
  const values = Object.values(params).map(({ value }) => value);
  const bytes = encodeURIComponent(JSON.stringify(values)).length;
  if (bytes <= maxValueBytes) return;
  throw validationError({
    filters: [`The filter values have ${bytes} bytes in total; send at most ${maxValueBytes}.`],
  });
}
