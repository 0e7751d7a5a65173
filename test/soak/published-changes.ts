import { waitUntil } from '../support/wait-until.ts';
import { expectStatus } from './request-kind.ts';
import { type SoakOrganisation, watchedFromUtcS, watchedUnit } from './soak-organisation.ts';

const visibleTimeoutMs = 60_000;

/** Numbered, backdated changes of one agent. Each must become visible to queries. */
export class PublishedChanges {
  #number = 0;
  readonly #organisation: SoakOrganisation;

  constructor(organisation: SoakOrganisation) {
    this.#organisation = organisation;
  }

  /** Puts the next change and waits until the watched result belongs to it. */
  async publishNext(): Promise<void> {
    this.#number++;
    const change = {
      agent: { unit_id: watchedUnit },
      metadata: { timezone: 'UTC', custom: { soak: this.#number } },
      backdate_from: watchedFromUtcS,
    };
    expectStatus(await this.#organisation.metadata.put(change), 200);
    await waitUntil(async () => (await this.#visible()) === this.#number, visibleTimeoutMs);
  }

  async #visible(): Promise<number | null | undefined> {
    const response = await this.#organisation.data.post('/metric_data', {
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: false,
      splits: ['custom.soak'],
      filters: [{ id: 'unit', filterType: 'include', filterValues: [String(watchedUnit)] }],
      time: { from: '-15 days', to: 'now' },
    });
    // The key of the first change is unknown until it is published.
    expectStatus(response, ...(this.#number === 1 ? [200, 422] : [200]));
    if (response.status !== 200) return undefined;
    const series = response.body.data as {
      metricData: { 'custom.soak': number | null }[];
    }[];
    return series[0]?.metricData[0]?.['custom.soak'];
  }
}
