import type { Agent, Period } from './panel.ts';

/** The period of an agent's history at a time; undefined in a gap. */
export function metadataAt(agent: Agent, utcMs: number): Period | undefined {
  const utcS = Math.floor(utcMs / 1000);
  return agent.history.find(
    ({ fromUtcS, untilUtcS }) =>
      (fromUtcS === null || fromUtcS <= utcS) && (untilUtcS === null || utcS < untilUtcS),
  );
}
