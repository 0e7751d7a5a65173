import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Erasure } from './erasure.ts';

/** The one place that records the start and the end of erasures. */
export function recordErasureEvent(
  logger: Logger,
  event: 'requested' | 'ended',
  { id, organisationId, report }: Pick<Erasure, 'id' | 'organisationId' | 'report'>,
): void {
  logger.info(`erasure ${event}`, { id, organisationId, report });
}
