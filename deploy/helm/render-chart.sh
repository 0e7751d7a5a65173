#!/usr/bin/env bash
# Prints what helm renders for a file of values: render-chart.sh VALUES [OPTION...]. Used by check-chart.sh and by
# the tests of the chart.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Kinds that a cluster has only with the Prometheus operator and the Gateway API.
kinds=monitoring.coreos.com/v1/ServiceMonitor,monitoring.coreos.com/v1/PrometheusRule
kinds+=,gateway.networking.k8s.io/v1/HTTPRoute

values=$1
shift
# The generated secret differs with each rendering.
helm template netpanel deploy/helm/netpanel --namespace netpanel --kube-version "${KUBERNETES_VERSION:-1.34.0}" \
  --api-versions "$kinds" --values "$values" "$@" |
  sed -E 's/^(  EXPORT_LINK_SECRET: ).{66}$/\1"Z2VuZXJhdGVk"/'
