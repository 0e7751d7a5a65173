import { ClickHouseError } from '@clickhouse/client';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { AppError } from '../errors/app-error.ts';
import { redactTokens } from '../logging/redact-tokens.ts';

/**
 * Records an error on a span, without data: traces go to other systems than the log, which has the
 * full text under the same trace id.
 */
export function recordError(span: Span, error: unknown): void {
  const { type, message } = described(error);
  span.recordException({ name: type, message });
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

// Error messages of databases repeat the query and its values: only their codes are used.
function described(error: unknown): { readonly type: string; readonly message: string } {
  if (error instanceof AppError) {
    return { type: error.code, message: redactTokens(error.publicMessage) };
  }
  if (error instanceof ClickHouseError) {
    return { type: error.type ?? 'ClickHouseError', message: `ClickHouse code ${error.code}` };
  }
  if (!(error instanceof Error)) return { type: 'unknown', message: '' };
  const { code, syscall } = error as NodeJS.ErrnoException;
  // `connect ECONNREFUSED 127.0.0.1:8123`
  return { type: code ?? error.name, message: syscall === undefined ? '' : error.message };
}
