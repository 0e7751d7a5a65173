{{/* The metadata service has no rules, variables, secrets or volumes of its own. */}}
{{- define "netpanel.check.metadata" -}}{{- end }}
{{- define "netpanel.env.metadata" -}}{{- end }}
{{- define "netpanel.secrets.metadata" -}}[]{{- end }}
{{- define "netpanel.mounts.metadata" -}}{{- end }}
{{- define "netpanel.volumes.metadata" -}}{{- end }}
