import { Counter, Gauge, type Registry } from 'prom-client';
import type { Slots } from '../../shared/slots/slots.ts';

/** Running, queued and refused queries, over all organisations. */
export function querySlotMetrics(registry: Registry, slots: Slots): void {
  const registers = [registry];
  new Gauge({
    name: 'netpanel_query_slots_running',
    help: 'Running client queries.',
    registers,
    collect() {
      this.set(slots.counts.running);
    },
  });
  new Gauge({
    name: 'netpanel_query_slots_waiting',
    help: "Client queries that are queued because of their organisation's limit or the limit of all.",
    registers,
    collect() {
      this.set(slots.counts.waiting);
    },
  });
  new Counter({
    name: 'netpanel_query_slots_refused_total',
    help: 'Client queries that were queued for too long and got status 429.',
    registers,
    collect() {
      this.reset();
      this.inc(slots.counts.refused);
    },
  });
}
