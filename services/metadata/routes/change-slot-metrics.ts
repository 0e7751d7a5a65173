import { Counter, Gauge, type Registry } from 'prom-client';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';

/** Queued and refused changes, over all organisations. */
export function changeSlotMetrics(registry: Registry, slots: OrganisationSlots): void {
  const registers = [registry];
  new Gauge({
    name: 'netpanel_change_slots_waiting',
    help: "Metadata changes that are queued because of their organisation's limit.",
    registers,
    collect() {
      this.set(slots.counts.waiting);
    },
  });
  new Counter({
    name: 'netpanel_change_slots_refused_total',
    help: 'Metadata changes that were queued for too long and got status 429.',
    registers,
    collect() {
      this.reset();
      this.inc(slots.counts.refused);
    },
  });
}
