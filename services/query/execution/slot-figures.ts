import { Counter, Gauge, type Registry } from 'prom-client';
import type { QuerySlots } from './query-slots.ts';

/** How the places for running queries are taken, over all organisations. */
export function slotFigures(registry: Registry, slots: QuerySlots): void {
  const registers = [registry];
  new Gauge({
    name: 'netpanel_query_slots_running',
    help: 'Queries of callers that run.',
    registers,
    collect() {
      this.set(slots.counts.running);
    },
  });
  new Gauge({
    name: 'netpanel_query_slots_waiting',
    help: "Queries of callers that wait for one of their organisation's places.",
    registers,
    collect() {
      this.set(slots.counts.waiting);
    },
  });
  new Counter({
    name: 'netpanel_query_slots_refused_total',
    help: 'Queries of callers that waited in vain and were answered 429.',
    registers,
    collect() {
      this.reset();
      this.inc(slots.counts.refused);
    },
  });
}
