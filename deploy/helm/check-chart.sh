#!/usr/bin/env bash
# What make chart runs. With helm on the machine: lints the chart with every example and renders each of
# them, which must give test/unit/deploy/golden/<example>.yaml (UPDATE=1 writes those files anew). With
# kubeconform as well: holds what was rendered against the schemas of Kubernetes. The schemas come from the
# internet, or from the folder KUBE_SCHEMAS; the PyPI package kubernetes-validate carries one:
#
#   pip download --no-deps kubernetes-validate && unzip -q kubernetes_validate-*.whl
#   make chart KUBE_SCHEMAS=$PWD/kubernetes_validate/kubernetes-json-schema
set -euo pipefail
cd "$(dirname "$0")/../.."

chart=deploy/helm/netpanel
golden=test/unit/deploy/golden
kubernetes=${KUBERNETES_VERSION:-1.34.0}

if ! command -v helm >/dev/null; then
  echo "helm is not on this machine (go install helm.sh/helm/v3/cmd/helm@latest):" \
    "the files rendered before are checked instead"
  exit 0
fi

rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
for values in "$chart"/examples/*.yaml; do
  name=$(basename "$values")
  helm lint --strict --quiet "$chart" --values "$values"
  helm template netpanel "$chart" --namespace netpanel --kube-version "$kubernetes" \
    --values "$values" >"$rendered/$name"
  if [ "${UPDATE:-}" = 1 ]; then
    mkdir -p "$golden"
    cp "$rendered/$name" "$golden/$name"
  fi
  diff -u "$golden/$name" "$rendered/$name"
  echo "$name: lint and rendering as expected"
done

# refused REASON VALUES...: rendering the trial with these values fails, and says why.
refused() {
  local reason=$1 output
  shift
  if output=$(helm template netpanel "$chart" --kube-version "$kubernetes" \
    --values "$chart/examples/trial.yaml" "$@" 2>&1 >/dev/null); then
    echo "the chart renders with $*" >&2
    exit 1
  fi
  grep -qF -- "$reason" <<<"$output" || {
    echo "with $* the chart does not say \"$reason\" but: $output" >&2
    exit 1
  }
}
refused 'image.repository is required' --set image.repository=
refused 'postgres.existingSecret is required' --set postgres.existingSecret=
refused 'clickhouse.url is required' --set clickhouse.url=
for role in query metadata migrate; do
  refused "clickhouse.users.$role.existingSecret is required" \
    --set "clickhouse.users.$role.existingSecret="
done
refused 'no ingress without TLS' --set query.ingress.enabled=true,query.ingress.host=data.example.org
refused 'a stop would cut requests off' --set query.settings.QUERY_TIMEOUT_MS=100000
refused 'a stop would cut requests off' --set query.longestRequestSeconds=64
refused 'EXPORT_WAIT_MS + 5 s' --set query.settings.EXPORT_WAIT_MS=70000
refused "additional properties 'TLS_CERT_FILE' not allowed" --set query.settings.TLS_CERT_FILE=/a
refused "additional properties 'MAX_SPLITZ' not allowed" --set query.settings.MAX_SPLITZ=1
refused "additional properties 'queri' not allowed" --set queri.replicas=1
echo "refused what it must refuse"

# No waiting in the queue is a choice: 55 + 0 + 5 seconds fit into 60.
helm template netpanel "$chart" --kube-version "$kubernetes" --values "$chart/examples/trial.yaml" \
  --set query.longestRequestSeconds=60,query.settings.QUERY_QUEUE_MS=0 >/dev/null

if ! command -v kubeconform >/dev/null; then
  echo "kubeconform is not on this machine (go install github.com/yannh/kubeconform/cmd/kubeconform@latest):" \
    "not held against the schemas of Kubernetes"
  exit 0
fi
schemas=default
if [ -n "${KUBE_SCHEMAS:-}" ]; then
  node dist/deploy/helm/local-schemas.js "$KUBE_SCHEMAS/v$kubernetes-local-strict" "$rendered/schemas"
  schemas="$rendered/schemas/{{.ResourceKind}}{{.KindSuffix}}.json"
fi
# The Prometheus operator's kind is not Kubernetes' own.
kubeconform -strict -summary -skip ServiceMonitor -kubernetes-version "$kubernetes" \
  -schema-location "$schemas" "$rendered"/*.yaml
