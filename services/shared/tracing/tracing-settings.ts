import { setting } from '../config/setting.ts';

/** Standard OpenTelemetry variables. The SDK reads more of them itself (OTEL_BSP_…, OTEL_SPAN_…). */
export const tracingSettings = {
  tracesEndpoint: setting.text(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector for traces (OTLP over HTTP), such as http://collector:4318; empty: no traces.',
    { fallback: '' },
  ),
  tracesServiceName: setting.text(
    'OTEL_SERVICE_NAME',
    'Name of the service in traces; empty: netpanel-query or netpanel-metadata.',
    { fallback: '' },
  ),
  // Read by the SDK; listed here to be documented and validated.
  tracesHeaders: setting.text(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for the collector, as key=value,key=value.',
    { fallback: '', secret: true },
  ),
  tracesSampler: setting.oneOf(
    'OTEL_TRACES_SAMPLER',
    'Which requests are traced.',
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ] as const,
    'parentbased_always_on',
  ),
  tracesSamplerArg: setting.text(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of requests that are traced by the traceidratio samplers, from 0 to 1.',
    { fallback: '1' },
  ),
};
