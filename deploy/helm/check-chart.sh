#!/usr/bin/env bash
# Run by make chart, before the tests of unit/deploy. With helm installed: lints the chart with every example, and
# checks that it rejects invalid values. With kubeconform installed: validates the rendered examples against the
# Kubernetes schemas. The schemas come from the internet, or from the folder KUBE_SCHEMAS; the PyPI package
# kubernetes-validate contains one:
#
#   pip download --no-deps kubernetes-validate && unzip -q kubernetes_validate-*.whl
#   make chart KUBE_SCHEMAS=$PWD/kubernetes_validate/kubernetes-json-schema
set -euo pipefail
cd "$(dirname "$0")/../.."

chart=deploy/helm/netpanel
kubernetes=${KUBERNETES_VERSION:-1.34.0}

if command -v promtool >/dev/null; then
  promtool check rules deploy/prometheus/alerts.yaml
  promtool test rules deploy/prometheus/alerts-test.yaml
else
  echo "promtool is not installed (Debian package prometheus): the alerts are not evaluated"
fi

if ! command -v helm >/dev/null; then
  echo "helm is not installed (go install helm.sh/helm/v3/cmd/helm@latest):" \
    "only the recorded rendering of production is checked"
  exit 0
fi

rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
for values in "$chart"/examples/*.yaml test/unit/deploy/values/*.yaml; do
  name=$(basename "$values")
  helm lint --strict --quiet "$chart" --values "$values"
  deploy/helm/render-chart.sh "$values" >"$rendered/$name"
  echo "$name: linted and rendered"
done

# rejected REASON VALUES...: rendering the trial with these values fails with this reason.
rejected() {
  local reason=$1 output
  shift
  if output=$(helm template netpanel "$chart" --kube-version "$kubernetes" \
    --values "$chart/examples/trial.yaml" "$@" 2>&1 >/dev/null); then
    echo "the chart does not reject $*" >&2
    exit 1
  fi
  grep -qF -- "$reason" <<<"$output" || {
    echo "with $* the chart fails without \"$reason\": $output" >&2
    exit 1
  }
}
rejected 'image.repository is required' --set image.repository=
rejected 'postgres.existingSecret is required' --set postgres.existingSecret=
rejected 'clickhouse.url is required' --set clickhouse.url=
for role in query metadata ingest migrate; do
  rejected "clickhouse.users.$role.existingSecret is required" \
    --set "clickhouse.users.$role.existingSecret="
done
rejected 'exports need an object store' --set query.replicas=2
rejected 'exports need an object store' --set query.autoscaling.enabled=true
rejected 'EXPORT_STORE is folder although' --set objectStore.existingSecret=a,query.settings.EXPORT_STORE=folder
rejected 'query.settings.PUBLIC_URL is required' --set query.settings.PUBLIC_URL=
rejected 'serviceMonitor.enabled needs the Prometheus operator' --set serviceMonitor.enabled=true
rejected 'prometheusRule.enabled needs the Prometheus operator' --set prometheusRule.enabled=true
rejected 'query.route.enabled needs the Gateway API' --set query.route.enabled=true
rejected 'query.route.parentRefs is required' --api-versions gateway.networking.k8s.io/v1/HTTPRoute --set query.route.enabled=true
rejected 'set configMap or existingSecret, not both' \
  --set certificateAuthorities.configMap=a,certificateAuthorities.existingSecret=b
rejected "additional properties 'EXPORT_FOLDER' not allowed" --set query.settings.EXPORT_FOLDER=/a
rejected 'query.map.field is required' --set query.map.configMap=regions
rejected 'an ingress needs TLS' --set query.ingress.enabled=true,query.ingress.host=data.example.org
rejected 'a shutdown would abort requests' --set query.settings.QUERY_TIMEOUT_MS=100000
rejected 'a shutdown would abort requests' --set query.longestRequestSeconds=64
rejected 'a shutdown would abort inserts' --set ingest.settings.INGEST_INSERT_TIMEOUT_MS=61000
rejected 'a shutdown would abort inserts' --set ingest.longestRequestSeconds=74
rejected 'EXPORT_WAIT_MS + 5 s' --set query.settings.EXPORT_WAIT_MS=70000
rejected "additional properties 'TLS_CERT_FILE' not allowed" --set query.settings.TLS_CERT_FILE=/a
rejected "additional properties 'MAX_SPLITZ' not allowed" --set query.settings.MAX_SPLITZ=1
rejected "additional properties 'INGEST_PORT' not allowed" --set ingest.settings.INGEST_PORT=1
rejected "additional properties 'queri' not allowed" --set queri.replicas=1
echo "invalid values are rejected"

# QUERY_QUEUE_MS may be 0: 55 + 0 + 5 seconds fit into 60.
helm template netpanel "$chart" --kube-version "$kubernetes" --values "$chart/examples/trial.yaml" \
  --set query.longestRequestSeconds=60,query.settings.QUERY_QUEUE_MS=0 >/dev/null

if ! command -v kubeconform >/dev/null; then
  echo "kubeconform is not installed (go install github.com/yannh/kubeconform/cmd/kubeconform@latest):" \
    "the Kubernetes schemas are not checked"
  exit 0
fi
schemas=default
if [ -n "${KUBE_SCHEMAS:-}" ]; then
  node dist/deploy/helm/local-schemas.js "$KUBE_SCHEMAS/v$kubernetes-local-strict" "$rendered/schemas"
  schemas="$rendered/schemas/{{.ResourceKind}}{{.KindSuffix}}.json"
fi
# These belong to the Prometheus operator and the Gateway API and have no Kubernetes schema.
kubeconform -strict -summary -skip ServiceMonitor,PrometheusRule,HTTPRoute -kubernetes-version "$kubernetes" \
  -schema-location "$schemas" "$rendered"/*.yaml
