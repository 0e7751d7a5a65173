import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from '../../services/shared/product-version.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

/** Where a file states the version of package.json. `make generate` writes it there, and a test compares. */
const places: Readonly<Record<string, RegExp>> = {
  'package-lock.json': /(?<="name": "netpanel",\n +"version": ")[^"]+/g,
  'openapi/query.yaml': /(?<=^ {2}version: ).+/gm,
  'openapi/metadata.yaml': /(?<=^ {2}version: ).+/gm,
  'openapi/ingest.yaml': /(?<=^ {2}version: ).+/gm,
  'clients/python/pyproject.toml': /(?<=^version = ")[^"]+/gm,
  'deploy/docker/Dockerfile': /(?<=^ARG VERSION=).+/gm,
  'deploy/docker/compose.yaml': /(?<=image: netpanel-\w+:).+/g,
  'deploy/helm/netpanel/Chart.yaml': /(?<=^(?:version|appVersion): ).+/gm,
  'deploy/helm/netpanel/examples/trial.yaml': /(?<=^ {2}tag: ).+/gm,
  'deploy/helm/netpanel/examples/production.yaml': /(?<=^ {2}tag: ).+/gm,
  'deploy/helm/netpanel/examples/clickhouse-cluster.yaml': /(?<=^ {2}tag: ).+/gm,
};

export const versionedPaths: readonly string[] = Object.keys(places);

/** A file with the version of package.json in each of its places. */
export function withVersion(
  path: string,
  text = readFileSync(join(repositoryRoot, path), 'utf8'),
): string {
  const place = places[path];
  if (place === undefined || text.match(place) === null) {
    throw new Error(`${path} states no version where deploy/release/stated-versions.ts expects it`);
  }
  return text.replace(place, productVersion());
}
