{{- define "netpanel.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
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
{{- $urlKeys := dict "query" .root.Values.postgres.urlKeys.query "metadata" .root.Values.postgres.urlKeys.metadata -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "postgres.existingSecret is required: a secret with the address of Postgres" .root.Values.postgres.existingSecret }}
      key: {{ default .root.Values.postgres.urlKey (get $urlKeys .role) }}
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

{{/* Ports of a service, by its name. */}}
{{- define "netpanel.ports" -}}
{{- if eq . "query" }}{"http": 8080, "ops": 9080}{{ else }}{"http": 8081, "ops": 9081}{{ end }}
{{- end }}
