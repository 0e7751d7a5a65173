{{/* The metadata service needs no further rules, variables, secrets or volumes. */}}
{{- define "netpanel.check.metadata" -}}{{- end }}
{{- define "netpanel.env.metadata" -}}{{- end }}
{{- define "netpanel.secrets.metadata" -}}[]{{- end }}
{{- define "netpanel.mounts.metadata" -}}{{- end }}
{{- define "netpanel.volumes.metadata" -}}{{- end }}
