{{/* Rules about the values of the ingestion service. */}}
{{- define "netpanel.check.ingest" -}}
{{- $service := .Values.ingest }}
{{- $longestMs := mul 1000 (int64 $service.longestRequestSeconds) }}
{{- $timeoutMs := include "netpanel.setting" (list $service.settings "INGEST_INSERT_TIMEOUT_MS" 60000) | int64 }}
{{- $queueMs := include "netpanel.setting" (list $service.settings "INGEST_QUEUE_MS" 5000) | int64 }}
{{/* A request is queued for a slot of its organisation, and then for memory. */}}
{{- if gt (add $timeoutMs $queueMs $queueMs 5000) $longestMs }}
{{- fail "ingest.longestRequestSeconds is shorter than 2 × INGEST_QUEUE_MS + INGEST_INSERT_TIMEOUT_MS + 5 s: a shutdown would abort inserts" }}
{{- end }}
{{- end }}

{{/* The ingestion service needs no further variables, secrets or volumes. */}}
{{- define "netpanel.env.ingest" -}}{{- end }}
{{- define "netpanel.secrets.ingest" -}}[]{{- end }}
{{- define "netpanel.mounts.ingest" -}}{{- end }}
{{- define "netpanel.volumes.ingest" -}}{{- end }}
