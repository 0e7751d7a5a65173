import { expect } from 'chai';
import { newRegistry, type Registry } from '../../../services/shared/metrics.ts';

const blockedMs = 1_000;

describe('the event loop delay', () => {
  it('is measured since the last scrape, not since the start', async () => {
    const registry = newRegistry('test');
    await nextTurns();
    await worstSeconds(registry);
    // Node measures again from the second interval after a scrape.
    await nextTurns();
    const untilMs = Date.now() + blockedMs;
    while (Date.now() < untilMs);
    await nextTurns();
    const blocked = await worstSeconds(registry);
    expect(blocked).to.be.at.least((0.9 * blockedMs) / 1000);
    await nextTurns();
    expect(await worstSeconds(registry)).to.be.lessThan(blocked);
  });
});

async function worstSeconds(registry: Registry): Promise<number> {
  const text = await registry.metrics();
  return Number(/^nodejs_eventloop_lag_max_seconds\{.*\} (\S+)$/m.exec(text)?.[1]);
}

// Several measuring intervals.
function nextTurns(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
