import type { Agent, Stretch } from './panel.ts';

/** The stretch of an agent's history that covers a moment; undefined where nothing was known. */
export function metadataAt(agent: Agent, utcMs: number): Stretch | undefined {
  const utcS = Math.floor(utcMs / 1000);
  return agent.history.find(
    ({ fromUtcS, untilUtcS }) =>
      (fromUtcS === null || fromUtcS <= utcS) && (untilUtcS === null || utcS < untilUtcS),
  );
}
