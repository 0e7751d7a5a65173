#!/usr/bin/env bash
# Builds what test-kubernetes needs from source with Go, into the folder OUT: etcd, kube-apiserver,
# kube-controller-manager, kubectl and helm, and fetches the operators' definitions into OUT/crds. It takes about ten
# minutes on two cores. A program that is already there is kept.
#
#   test/kubernetes/build-control-plane.sh .local/kubernetes
set -euo pipefail

out=$(realpath --canonicalize-missing "${1:?"usage: $0 OUT"}")
kubernetes=${KUBERNETES_VERSION:-1.34.4}
etcd=${ETCD_VERSION:-3.6.5}
helm=${HELM_VERSION:-3.18.6}

mkdir -p "$out/crds"
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

# A module of its own for each project, because their versions of common packages differ.
new_module() {
  mkdir -p "$work/$1"
  cd "$work/$1"
  go mod init "netpanel.local/$1" 2>/dev/null
}

# build NAME PACKAGE FLAG...: an executable of the current module.
build() {
  local name=$1 package=$2
  shift 2
  echo "building $name"
  CGO_ENABLED=0 go build -mod=mod -trimpath -o "$out/$name" "$@" "$package"
}

if [ ! -x "$out/etcd" ]; then
  new_module etcd
  go get "go.etcd.io/etcd/server/v3@v$etcd"
  build etcd go.etcd.io/etcd/server/v3
fi

if [ ! -x "$out/helm" ]; then
  new_module helm
  go get "helm.sh/helm/v3/cmd/helm@v$helm"
  build helm helm.sh/helm/v3/cmd/helm
fi

programs=()
for program in kube-apiserver kube-controller-manager kubectl; do
  [ -x "$out/$program" ] || programs+=("$program")
done
if [ ${#programs[@]} -gt 0 ]; then
  new_module kubernetes
  source=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')
  # The repository replaces its libraries by folders of its own. They are published with the same minor version.
  sed -n 's#^\t\(k8s.io/[a-z-]*\) => ./staging/.*#\1#p' "$source" | while read -r library; do
    go mod edit -replace "$library=$library@v0.${kubernetes#1.}"
  done
  go mod edit -require "k8s.io/kubernetes@v$kubernetes"
  version=k8s.io/component-base/version
  flags="-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=$(cut -d. -f2 <<<"$kubernetes")"
  for program in "${programs[@]}"; do
    build "$program" "k8s.io/kubernetes/cmd/$program" -ldflags "$flags"
  done
fi

# definitions MODULE@VERSION FILE...: copies them from the module. One that the module proxy does not have is named.
definitions() {
  local module=$1 folder file
  shift
  folder=$(go mod download -json "$module" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') || true
  if [ -z "$folder" ]; then
    echo "not available: $module"
    return
  fi
  for file in "$@"; do install -m 644 "$folder/$file" "$out/crds/"; done
  echo "definitions of $module"
}

new_module definitions
definitions "github.com/cloudnative-pg/cloudnative-pg@v${CLOUDNATIVE_PG_VERSION:-1.29.0}" \
  config/crd/bases/postgresql.cnpg.io_clusters.yaml
# The newest: Altinity's tags are not versions of Go.
definitions "github.com/altinity/clickhouse-operator@${ALTINITY_OPERATOR_VERSION:-master}" \
  deploy/helm/clickhouse-operator/crds/CustomResourceDefinition-clickhouseinstallations.clickhouse.altinity.com.yaml \
  deploy/helm/clickhouse-operator/crds/CustomResourceDefinition-clickhousekeeperinstallations.clickhouse-keeper.altinity.com.yaml
definitions "github.com/ClickHouse/clickhouse-operator@${CLICKHOUSE_OPERATOR_VERSION:-main}" \
  config/crd/bases/clickhouse.com_clickhouseclusters.yaml config/crd/bases/clickhouse.com_keeperclusters.yaml
