import { validationError } from '../../shared/errors/app-error.ts';
import type { QueryParams } from '../../shared/sql/print-query.ts';

// Values travel in the address of ClickHouse's HTTP interface, which by default ends at 1 MiB
// (http_max_uri_size). The rest is for settings and names.
const maxAddressBytes = 1_000_000;

/** A thousand long filter values can be more than ClickHouse takes: said before it is asked. */
export function refuseLongParams(params: QueryParams): void {
  const values = Object.values(params).map(({ value }) => value);
  const bytes = encodeURIComponent(JSON.stringify(values)).length;
  if (bytes <= maxAddressBytes) return;
  throw validationError({
    filters: [`The values are ${bytes} bytes together; send at most ${maxAddressBytes}.`],
  });
}
