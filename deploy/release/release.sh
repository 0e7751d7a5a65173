#!/usr/bin/env bash
# Run by make release: writes everything that a release consists of to OUT (default .local/release), and SHA256SUMS
# over it. Skips and names what a missing program would build.
#
#   chart          netpanel-<version>.tgz                helm
#   clients        netpanel-client-<version>.tgz         npm
#                  netpanel-<version>-py3-none-any.whl   Python with pip
#   local stack    netpanel-local-<version>.tgz          npm
#   image          netpanel-<target>-<version>.tar       buildah, and the base image (BASE=…@sha256:…)
#   SBOM           netpanel-<version>.cdx.json           npm; the packages in the image, as CycloneDX
#                  netpanel-local-<version>.cdx.json     npm; those of the local stack, with its engines
#   provenance     netpanel-<version>.provenance.json    what was built from which revision, with which tools
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(node -p 'require("./package.json").version')
out=$(realpath -m "${OUT:-.local/release}")
base=${BASE:-node:24-bookworm-slim}
revision=$(git rev-parse HEAD)
if [ -n "$(git status --porcelain)" ]; then
  if [ "${ALLOW_CHANGES:-}" != 1 ]; then
    echo "The working tree has changes: commit them, or set ALLOW_CHANGES=1 for a trial." >&2
    exit 1
  fi
  revision="$revision-changed"
fi
grep -Eq "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || [ "${ALLOW_CHANGES:-}" = 1 ] || {
  echo "CHANGELOG.md has no dated section \"## $version - <date>\": date it, or set ALLOW_CHANGES=1 for a trial." >&2
  exit 1
}

rm -rf "$out"
mkdir -p "$out"

if command -v helm >/dev/null; then
  helm package deploy/helm/netpanel --destination "$out" >/dev/null
  echo "chart: netpanel-$version.tgz"
else
  echo "chart: left out, helm is not installed (go install helm.sh/helm/v3/cmd/helm@latest)"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node --enable-source-maps dist/openapi/write-client.js "$work/typescript" >/dev/null
npm pack --silent --pack-destination "$out" "$work/typescript" >/dev/null
echo "client: netpanel-client-$version.tgz"

if python3 -m pip --version >/dev/null 2>&1; then
  # A copy, because setuptools writes into the folder that it builds.
  cp -r clients/python "$work/python"
  python3 -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" "$work/python"
  echo "client: netpanel-$version-py3-none-any.whl"
else
  echo "client for Python: left out, Python with pip is not installed"
fi

deploy/release/local-package.sh "$out"
echo "local stack: netpanel-local-$version.tgz"

npm sbom --omit=dev --package-lock-only --sbom-format cyclonedx >"$out/netpanel-$version.cdx.json"
echo "SBOM: netpanel-$version.cdx.json"
node --enable-source-maps dist/deploy/release/write-local-sbom.js "$out/netpanel-local-$version.cdx.json"
echo "SBOM: netpanel-local-$version.cdx.json"

images=none
if ! command -v buildah >/dev/null; then
  echo "image: left out, buildah is not installed"
elif ! buildah pull --quiet "$base" >/dev/null 2>&1 && ! buildah inspect "$base" >/dev/null 2>&1; then
  echo "image: left out, the base image $base is not available"
else
  images=$(buildah inspect --type image --format '{{.FromImageDigest}}' "$base")
  for target in $(sed -n 's/^FROM runtime AS //p' deploy/docker/Dockerfile); do
    # The docker format keeps HEALTHCHECK. With layers, the targets share their stages.
    buildah build --quiet --layers --format docker --isolation "${ISOLATION:-oci}" --file deploy/docker/Dockerfile \
      --target "$target" --build-arg BASE="$base" --build-arg VERSION="$version" \
      --build-arg REVISION="$revision" --tag "netpanel-$target:$version" . >/dev/null
    buildah push --quiet "netpanel-$target:$version" \
      "docker-archive:$out/netpanel-$target-$version.tar:netpanel-$target:$version"
    echo "image: netpanel-$target-$version.tar"
  done
fi

# Not written directly: the file would be among those that it lists.
sums=$(cd "$out" && sha256sum -- *)
echo "$sums" >"$out/SHA256SUMS"
REVISION=$revision BASE=$base BASE_DIGEST=$images VERSION=$version \
  node dist/deploy/release/write-provenance.js "$out"
(cd "$out" && sha256sum -- *.provenance.json) >>"$out/SHA256SUMS"
echo "checksums: $out/SHA256SUMS"
