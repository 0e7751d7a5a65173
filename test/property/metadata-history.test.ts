import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { readAgentMetadata } from '../../services/metadata/agents/agent-metadata.ts';
import { lookupValues } from '../../services/metadata/agents/wanted-agents.ts';
import { readKnownLines } from '../../services/query/known-at/metadata-history.ts';
import type { Snapshots } from '../../services/metadata/snapshot/start-snapshots.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../support/tenant.ts';
import { publishedMetadata } from '../support/published-metadata.ts';
import { waitUntil } from '../support/wait-until.ts';
import { propertyRuns } from './property-panel.ts';

const runs = Math.ceil(propertyRuns / 6);

/** The model has 40 slots of 12 hours from here on; the last one is open-ended. */
const startS = Date.UTC(2026, 5, 1) / 1000;
const slotS = 12 * 3600;
const slots = 40;
const agents = 3;

interface Metadata {
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly custom: Readonly<Record<string, string | number>>;
}
const nothing: Metadata = { package: null, isp: null, timezone: null, custom: {} };

interface Change {
  readonly agent: Partial<Metadata> & { readonly unit_id?: number };
  readonly metadata: Partial<Omit<Metadata, 'custom'>> & {
    readonly custom?: Readonly<Record<string, string | number | null>>;
  };
  readonly fromSlot: number;
  readonly nowSlot: number;
  readonly overwriteAll: boolean;
}

const wholePackages = fc.constantFrom('A:x', 'A:y', 'B:x');
const packages = fc.oneof({ weight: 3, arbitrary: wholePackages }, fc.constant('A:'));
const timezones = fc.constantFrom('Europe/London', 'Asia/Tokyo');
const custom = fc.dictionary(fc.constantFrom('k', 'l', 'm'), fc.constantFrom(1, '1', 2.5, 'ü'), {
  minKeys: 1,
});
/** null removes a key. */
const newCustom = fc.dictionary(
  fc.constantFrom('k', 'l', 'm'),
  fc.constantFrom(1, '1', 2.5, 'ü', null),
  { minKeys: 1 },
);
const metadata = fc.record(
  { package: packages, timezone: timezones, custom: newCustom },
  { requiredKeys: [] },
);
const selector = fc.oneof(
  { weight: 4, arbitrary: fc.record({ unit_id: fc.integer({ min: 1, max: agents }) }) },
  fc.record({ isp: fc.constantFrom('A', 'B') }),
  fc.record({ package: wholePackages }),
  fc.record({ timezone: timezones, package: wholePackages }),
  fc.record({ custom }),
);
const change: fc.Arbitrary<Change> = fc
  .record({
    agent: selector,
    metadata,
    fromSlot: fc.integer({ min: 0, max: slots - 1 }),
    later: fc.integer({ min: 0, max: slots - 1 }),
    overwriteAll: fc.boolean(),
  })
  .map(({ later, ...rest }) => ({
    ...rest,
    nowSlot: Math.min(rest.fromSlot + later, slots - 1),
  }));

/** The simplest model: one value per slot and agent. */
class Model {
  readonly #metadata = Array.from({ length: agents }, () => Array<Metadata>(slots).fill(nothing));

  at(agent: number, slot: number): Metadata {
    return this.#metadata[agent]![slot]!;
  }

  apply({ agent, metadata: given, fromSlot, nowSlot, overwriteAll }: Change): number {
    const matching = this.#metadata.filter((slotValues, i) =>
      matches(i + 1, slotValues[nowSlot]!, agent),
    );
    for (const slotValues of matching) {
      for (let slot = fromSlot; slot < slots; slot++) {
        slotValues[slot] = changed(overwriteAll ? nothing : slotValues[slot]!, given);
      }
    }
    return matching.length;
  }
}

function matches(unit: number, facts: Metadata, wanted: Change['agent']): boolean {
  return (
    (wanted.unit_id === undefined || wanted.unit_id === unit) &&
    (wanted.isp === undefined || wanted.isp === facts.isp) &&
    (wanted.timezone === undefined || wanted.timezone === facts.timezone) &&
    (wanted.package === undefined || facts.package === wanted.package) &&
    Object.entries(wanted.custom ?? {}).every(
      ([key, value]) => key in facts.custom && String(facts.custom[key]) === String(value),
    )
  );
}

function changed(facts: Metadata, given: Change['metadata']): Metadata {
  const [isp, name] = given.package?.split(':') ?? [];
  return {
    ...(isp === undefined
      ? { package: facts.package, isp: facts.isp }
      : { package: name === '' ? null : `${isp}:${name}`, isp }),
    timezone: given.timezone ?? facts.timezone,
    custom: Object.fromEntries(
      Object.entries({ ...facts.custom, ...given.custom }).filter(
        (entry): entry is [string, string | number] => entry[1] !== null,
      ),
    ),
  };
}

describe('any sequence of metadata changes', () => {
  let stores: IsolatedStores;
  let publisher: Snapshots;

  before(async () => {
    stores = await isolatedStores();
    publisher = stores.startPublisher();
  });
  after(async () => {
    await publisher.stop();
    await stores.close();
  });

  it('gives Postgres and the dictionary the history of a simple model, and knownAt what was known', async () => {
    const instants = fc.array(
      fc.record({
        agent: fc.nat(agents - 1),
        slot: fc.nat(slots - 1),
        second: fc.constantFrom(0, 1, slotS - 1),
      }),
      { minLength: 10, maxLength: 10 },
    );
    const sequences = fc.array(change, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequences, fc.nat(12), instants, async (changes, foldAt, checked) => {
        const tenant = await newTenant(stores.database);
        const keys = await fill(tenant);
        const model = new Model();
        const known: { readonly moment: Date; readonly periods: readonly string[] }[] = [];
        for (const [i, one] of changes.entries()) {
          if (i === foldAt) await publishAndFold(tenant);
          const applied = await applyToPostgres(tenant, one);
          expect(applied.matchedAgents).to.equal(model.apply(one));
          const moment = await nextMillisecond();
          known.push({ moment, periods: await knownPeriods(tenant, moment) });
        }
        for (const { moment, periods } of known) {
          expect(await knownPeriods(tenant, moment)).to.deep.equal(periods);
        }
        await published();
        expect(await stores.differences()).to.deep.equal([]);
        for (const { agent, slot, second } of checked) {
          const atS = startS + slot * slotS + second;
          const wanted = model.at(agent, slot);
          expect(await inPostgres(tenant, agent, atS)).to.deep.equal(wanted);
          expect(await inDictionary(keys[agent]!, atS)).to.deep.equal(asPublished(wanted));
        }
      }),
      // Limits how long fast-check shrinks a failing case.
      { numRuns: runs, interruptAfterTimeLimit: 200_000, markInterruptAsFailure: true },
    );
  });

  /** Between two changes: a moment has whole milliseconds. */
  async function nextMillisecond(): Promise<Date> {
    const { rows } = await stores.database.raw<{ rows: [{ moment: Date }] }>(
      `select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' as moment, pg_sleep(0.002)`,
    );
    return rows[0].moment;
  }

  /** The periods as they were recorded at a moment. */
  async function knownPeriods(
    { organisationId }: Tenant,
    moment: Date,
  ): Promise<readonly string[]> {
    return stores.database.transaction(async (transaction) => {
      const known = { organisationId, moment };
      const limits = { maxPeriods: 10_000, signal: new AbortController().signal };
      const options = { fill: 'fill', read: { rowCount: 0 }, ...limits };
      const lines = await text(readKnownLines(transaction, known, options));
      return lines.split('\n').filter(Boolean).sort();
    });
  }

  async function published(): Promise<void> {
    publisher.wake();
    await waitUntil(
      async () => (await stores.database('snapshot_outbox').first('id')) === undefined,
    );
  }

  /** The changes that follow are published while, or after, the earlier ones are folded into a snapshot. */
  async function publishAndFold({ organisationId }: Tenant): Promise<void> {
    await published();
    await stores
      .database('snapshot_organisations')
      .where({ organisation_id: organisationId })
      .where('changed_agents', '>', 0)
      .update({ changed_since: new Date(0) });
    publisher.wake();
  }

  async function fill(tenant: Tenant): Promise<readonly number[]> {
    const { database } = stores;
    await addPackages(database, tenant.organisationId, { A: ['x', 'y'], B: ['x'] });
    const keys: number[] = [];
    for (let unitId = 1; unitId <= agents; unitId++) {
      const agent = { agentId: `agent ${unitId}`, unitId, country: 'GB' };
      keys.push(await addAgent(database, tenant.organisationId, agent));
    }
    return keys;
  }

  function applyToPostgres(tenant: Tenant, one: Change) {
    const body = {
      agent: one.agent,
      metadata: one.metadata,
      backdate_from: startS + one.fromSlot * slotS,
      overwrite_all: one.overwriteAll,
    };
    const now = new Date((startS + one.nowSlot * slotS) * 1000);
    return changeMetadata(stores.database, tenant, body, now);
  }

  async function inPostgres({ organisationId }: Tenant, agent: number, atS: number) {
    const key = lookupValues({ column: 'unit_id', value: String(agent + 1) });
    const found = await readAgentMetadata(stores.database, organisationId, {
      kind: 'unit_id',
      keys: [key],
      at: new Date(atS * 1000),
    });
    return found.get(key)?.metadata;
  }

  async function inDictionary(agentKey: number, atS: number): Promise<unknown> {
    const names = ['country', 'isp', 'package', 'timezone', 'custom_number_keys'];
    const valueOf = (name: string) =>
      publishedMetadata(name, agentKey, `toDateTime(${atS}, 'UTC')`);
    const result = await stores.clickhouse.query({
      query: `SELECT ${names.map((name) => `${valueOf(name)} AS ${name}`).join(', ')},
        JSONExtract(assumeNotNull(${valueOf('custom_json')}), 'Map(String, String)') AS custom`,
      format: 'JSONEachRow',
    });
    const [row] = await result.json<object>();
    return row;
  }

  function asPublished(facts: Metadata): object {
    const entries = Object.entries(facts.custom);
    return {
      ...facts,
      country: 'GB',
      custom: Object.fromEntries(entries.map(([key, value]) => [key, String(value)])),
      custom_number_keys: entries
        .filter(([, value]) => typeof value === 'number')
        .map(([key]) => key)
        .sort(),
    };
  }
});
