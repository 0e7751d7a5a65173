import { Counter, type Registry } from 'prom-client';

/** Prometheus metrics of stored answers. */
export class CacheMetrics {
  readonly #answers: Counter<'state'>;

  constructor(registry: Registry) {
    this.#answers = new Counter({
      name: 'netpanel_stored_answers_total',
      help: 'Aggregate answers by how much of them was stored: hit (all), partial or miss (nothing).',
      labelNames: ['state'],
      registers: [registry],
    });
  }

  count(state: 'hit' | 'partial' | 'miss'): void {
    this.#answers.inc({ state });
  }
}
