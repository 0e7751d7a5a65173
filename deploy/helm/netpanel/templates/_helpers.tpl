{{/* The services, as JSON. For a new one: add it here and to netpanel.ports, add its values, and define
     netpanel.check.<name>, netpanel.env.<name>, netpanel.secrets.<name>, netpanel.volumes.<name> and
     netpanel.mounts.<name> as in _query.tpl and _metadata.tpl. */}}
{{- define "netpanel.services" -}}
["query", "metadata", "ingest"]
{{- end }}

{{/* Ports of a service, by its name. */}}
{{- define "netpanel.ports" -}}
{{- $ports := dict
  "query" (dict "http" 8080 "ops" 9080)
  "metadata" (dict "http" 8081 "ops" 9081)
  "ingest" (dict "http" 8082 "ops" 9082) -}}
{{- get $ports . | toJson }}
{{- end }}

{{- define "netpanel.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "netpanel.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "netpanel.labels" -}}
{{ include "netpanel.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "netpanel.image" -}}
{{- $repository := required "image.repository is required: the image that deploy/docker/Dockerfile builds" .Values.image.repository }}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}
{{- else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* The requirements of Pod Security "restricted", and no service account token. */}}
{{- define "netpanel.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .Values.runAsUser }}
  runAsGroup: {{ .Values.runAsUser }}
  fsGroup: {{ .Values.runAsUser }}
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Labels and annotations of every pod: (dict "root" $ "component" "query"). */}}
{{- define "netpanel.podMetadata" -}}
labels:
  {{- include "netpanel.labels" . | nindent 2 }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The service account of a pod: (dict "root" $ "component" "query" "account" values). */}}
{{- define "netpanel.serviceAccountName" -}}
{{- if .account.create }}{{ default (printf "%s-%s" (include "netpanel.fullname" .root) .component) .account.name }}
{{- else }}{{ default "default" .account.name }}
{{- end }}
{{- end }}

{{/* The certificate authorities of the stores, for every pod that connects to them. */}}
{{- define "netpanel.caEnv" -}}
{{- if or .Values.certificateAuthorities.configMap .Values.certificateAuthorities.existingSecret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/netpanel/ca/ca.crt
{{- end }}
{{- end }}

{{- define "netpanel.caMount" -}}
{{- if or .Values.certificateAuthorities.configMap .Values.certificateAuthorities.existingSecret }}
- name: certificate-authorities
  mountPath: /etc/netpanel/ca
  readOnly: true
{{- end }}
{{- end }}

{{- define "netpanel.caVolume" -}}
{{- $ca := .Values.certificateAuthorities }}
{{- if and $ca.configMap $ca.existingSecret }}
{{- fail "certificateAuthorities: set configMap or existingSecret, not both" }}
{{- end }}
{{- if $ca.configMap }}
- name: certificate-authorities
  configMap:
    name: {{ $ca.configMap }}
    items: [{ key: {{ $ca.key | quote }}, path: ca.crt }]
{{- else if $ca.existingSecret }}
- name: certificate-authorities
  secret:
    secretName: {{ $ca.existingSecret }}
    # 0440: readable by the owner and, through fsGroup, by the service.
    defaultMode: 288
    items: [{ key: {{ $ca.key | quote }}, path: ca.crt }]
{{- end }}
{{- end }}

{{/* Fails before the installation if the cluster lacks a kind: (list root "group/version/Kind" value what). */}}
{{- define "netpanel.requireKind" -}}
{{- $kind := index . 1 }}
{{- if not ((index . 0).Capabilities.APIVersions.Has $kind) }}
{{- fail (printf "%s needs %s, whose kind %s the cluster does not have: install it first (helm template: --api-versions %s)" (index . 2) (index . 3) $kind $kind) }}
{{- end }}
{{- end }}

{{- define "netpanel.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{/* Addresses of the stores, and the users of one role: (dict "root" $ "role" "query"). */}}
{{- define "netpanel.storeEnv" -}}
{{- $user := index .root.Values.clickhouse.users .role -}}
{{- $postgres := .root.Values.postgres -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "postgres.existingSecret is required: a secret with the address of Postgres" (default $postgres.existingSecret (get $postgres.existingSecrets .role)) }}
      key: {{ default $postgres.urlKey (get $postgres.urlKeys .role) }}
- name: CLICKHOUSE_URL
  value: {{ required "clickhouse.url is required" .root.Values.clickhouse.url | quote }}
- name: CLICKHOUSE_DATABASE
  value: {{ .root.Values.clickhouse.database | quote }}
- name: CLICKHOUSE_CLUSTER
  value: {{ .root.Values.clickhouse.cluster | quote }}
- name: CLICKHOUSE_USER
  value: {{ $user.name | quote }}
- name: CLICKHOUSE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "clickhouse.users.%s.existingSecret is required: a secret with its password" .role) $user.existingSecret }}
      key: {{ $user.passwordKey }}
{{- end }}

{{/* A setting as text: numbers in Helm are floats, and the services do not accept 2e+09 as a whole number. */}}
{{- define "netpanel.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* The value of a setting: (list settings name fallback). null and "" are unset, 0 is not. */}}
{{- define "netpanel.setting" -}}
{{- $given := get (index . 0) (index . 1) }}
{{- if or (kindIs "invalid" $given) (eq (toString $given) "") }}{{ index . 2 }}{{ else }}{{ include "netpanel.text" $given }}{{ end }}
{{- end }}

{{/* The protocol of a service, which is also the name of its port. */}}
{{- define "netpanel.scheme" -}}
{{- if .tls.existingSecret }}https{{ else }}http{{ end }}
{{- end }}
