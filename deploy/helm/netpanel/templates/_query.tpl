{{/* Rules about the values of the query service. */}}
{{- define "netpanel.check.query" -}}
{{- $service := .Values.query }}
{{- $longestMs := mul 1000 (int64 $service.longestRequestSeconds) }}
{{- $timeoutMs := include "netpanel.setting" (list $service.settings "QUERY_TIMEOUT_MS" 55000) | int64 }}
{{- $queueMs := include "netpanel.setting" (list $service.settings "QUERY_QUEUE_MS" 5000) | int64 }}
{{- if gt (add $timeoutMs $queueMs 5000) $longestMs }}
{{- fail "query.longestRequestSeconds is shorter than QUERY_TIMEOUT_MS + QUERY_QUEUE_MS + 5 s: a shutdown would abort requests" }}
{{- end }}
{{- $waitMs := include "netpanel.setting" (list $service.settings "EXPORT_WAIT_MS" 20000) | int64 }}
{{- if gt (add $waitMs 5000) $longestMs }}
{{- fail "query.longestRequestSeconds is shorter than EXPORT_WAIT_MS + 5 s: a shutdown would abort requests that wait for an export" }}
{{- end }}
{{- $store := include "netpanel.exportStore" . }}
{{- if and (eq $store "folder") .Values.objectStore.existingSecret }}
{{- fail "query.settings.EXPORT_STORE is folder although objectStore.existingSecret is set: remove one of them" }}
{{- end }}
{{- $isOnePod := and (not $service.autoscaling.enabled) (eq (int64 $service.replicas) 1) }}
{{- if and (eq $store "folder") (not $service.exports.existingClaim) (not $isOnePod) }}
{{- fail "exports need an object store that every query pod can reach: set objectStore.existingSecret, or query.settings.EXPORT_STORE to s3, or query.exports.existingClaim to a ReadWriteMany claim, or run one pod (query.replicas 1, query.autoscaling.enabled false)" }}
{{- end }}
{{- if not (include "netpanel.publicUrl" .) }}
{{- fail "query.settings.PUBLIC_URL is required without query.ingress and query.route: export links need the address that clients use" }}
{{- end }}
{{- if and $service.map.configMap (not $service.map.field) }}
{{- fail "query.map.field is required with query.map.configMap: the field whose values are the names of the regions" }}
{{- end }}
{{- end }}

{{/* Where exports are stored: s3, or a folder on a volume. */}}
{{- define "netpanel.exportStore" -}}
{{- include "netpanel.setting" (list .Values.query.settings "EXPORT_STORE" (ternary "s3" "folder" (ne .Values.objectStore.existingSecret ""))) }}
{{- end }}

{{/* The address of the data interface for clients; empty if it is not known. */}}
{{- define "netpanel.publicUrl" -}}
{{- $service := .Values.query }}
{{- if $service.settings.PUBLIC_URL }}{{ $service.settings.PUBLIC_URL }}
{{- else if $service.ingress.enabled }}https://{{ $service.ingress.host }}
{{- else if and $service.route.enabled $service.route.hosts }}https://{{ first $service.route.hosts }}
{{- end }}
{{- end }}

{{- define "netpanel.linkSecretName" -}}
{{- default (printf "%s-export-links" (include "netpanel.fullname" .)) .Values.query.exportLinks.existingSecret }}
{{- end }}

{{- define "netpanel.env.query" -}}
{{- $settings := .Values.query.settings -}}
- name: EXPORT_LINK_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ include "netpanel.linkSecretName" . }}
      key: {{ .Values.query.exportLinks.key }}
{{- if not $settings.EXPORT_STORE }}
- name: EXPORT_STORE
  value: {{ include "netpanel.exportStore" . }}
{{- end }}
{{- if eq (include "netpanel.exportStore" .) "folder" }}
- name: EXPORT_FOLDER
  value: /var/lib/netpanel/exports
{{- end }}
{{- if not $settings.PUBLIC_URL }}
- name: PUBLIC_URL
  value: {{ include "netpanel.publicUrl" . }}
{{- end }}
{{- with .Values.query.map }}
{{- if .configMap }}
- name: EXPLORER_MAP_FILE
  value: /etc/netpanel/map/regions.geojson
- name: EXPLORER_MAP_FIELD
  value: {{ .field | quote }}
- name: EXPLORER_MAP_PROPERTY
  value: {{ .property | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Secrets whose keys become environment variables, as JSON. */}}
{{- define "netpanel.secrets.query" -}}
{{- list .Values.objectStore.existingSecret | compact | toJson }}
{{- end }}

{{- define "netpanel.mounts.query" -}}
{{- if eq (include "netpanel.exportStore" .) "folder" }}
- name: exports
  mountPath: /var/lib/netpanel/exports
{{- end }}
{{- if .Values.query.map.configMap }}
- name: map
  mountPath: /etc/netpanel/map
  readOnly: true
{{- end }}
{{- end }}

{{- define "netpanel.volumes.query" -}}
{{- if eq (include "netpanel.exportStore" .) "folder" }}
- name: exports
  {{- with .Values.query.exports.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ . }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ .Values.query.exports.sizeLimit }}
  {{- end }}
{{- end }}
{{- with .Values.query.map }}
{{- if .configMap }}
- name: map
  configMap:
    name: {{ .configMap }}
    items: [{ key: {{ .key | quote }}, path: regions.geojson }]
{{- end }}
{{- end }}
{{- end }}
