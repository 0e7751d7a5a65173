import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';

interface OverrideWarning {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly from?: string;
  readonly to?: string | null;
  readonly value?: string | number | null;
  readonly agents?: number;
  readonly agentIds?: readonly string[];
}

const fast = 'Northwave:Fibre 500';
const slow = 'Northwave:Fibre 100';
const mobile = 'Breeze:Mobile';

describe('PUT /metadata that is backdated', () => {
  let own: MetadataTenant;
  let startS: number;
  beforeEach(async () => {
    own = await metadataTenant(3);
    startS = Math.floor(Date.now() / 1000);
  });

  /** Unix time in seconds. The same for all requests of a test. */
  const daysAgo = (days: number) => startS - days * 86_400;

  /** Sets metadata from a number of days ago on, and returns the warnings. */
  const put = async (days: number, metadata: object, more: object = {}) => {
    const request = { agent: { unit_id: 1 }, metadata, backdate_from: daysAgo(days), ...more };
    const { status, body } = await own.client.put(request);
    expect(status).to.equal(200);
    const { warnings, ...rest } = body as typeof body & { warnings?: OverrideWarning[] };
    expect(rest).to.deep.equal({ code: 'OK', message: 'Metadata updated successfully' });
    if (warnings === undefined) return undefined;
    return warnings.map(({ message: _, ...warning }) => warning);
  };
  const overridden = (field: string, value: unknown, days: number, to: number | null = null) => ({
    code: 'OVERRIDES_LATER_CHANGES',
    field: `metadata[${field}]`,
    value,
    from: dayText(days),
    to: to === null ? null : dayText(to),
    agents: 1,
    agentIds: ['box-1'],
  });
  const dayText = (days: number) => new Date(daysAgo(days) * 1000).toISOString();

  it('warns about a later change of the same field', async () => {
    expect(await put(20, { package: slow })).to.equal(undefined);
    expect(await put(5, { package: fast })).to.equal(undefined);
    expect(await put(10, { package: mobile })).to.deep.equal([overridden('package', fast, 5)]);
  });

  it('restores the later change when it is sent again as the warning says', async () => {
    await put(20, { package: slow });
    await put(5, { package: fast });
    const [warning] = (await put(10, { package: mobile }))!;
    const { body } = await own.client.put({
      agent: { agent_id: warning!.agentIds![0] },
      metadata: { package: warning!.value },
      backdate_from: Date.parse(warning!.from!) / 1000,
    });
    expect(body).not.to.have.property('warnings');
    const history = (await own.client.get('/metadata/unit/1/history')).body.data as {
      from: string;
      package: string;
    }[];
    expect(history.map(({ from, package: name }) => [from, name])).to.deep.equal([
      [dayText(5), fast],
      [dayText(10), mobile],
      [dayText(20), slow],
    ]);
  });

  it('does not warn about other fields, equal values, earlier changes and a change of the same date', async () => {
    await put(20, { package: slow, timezone: 'Europe/London', custom: { tier: 'gold' } });
    await put(5, { timezone: 'Europe/Berlin', custom: { floor: 3 } });
    // Later periods, whose package did not change.
    expect(await put(10, { package: fast })).to.equal(undefined);
    expect(await put(10, { timezone: 'Europe/Berlin' })).to.equal(undefined);
    expect(await put(5, { custom: { floor: 4 } })).to.equal(undefined);
    expect(await put(4, { custom: { floor: 5 } })).to.equal(undefined);
  });

  it('names each field and period, the earliest first, and merges periods with an equal value', async () => {
    await put(20, { package: slow, timezone: 'Europe/London', custom: { tier: 'gold' } });
    await put(9, { package: fast });
    // Divides the period of the package without changing it.
    await put(7, { timezone: 'Europe/Berlin' });
    await put(5, { package: slow });
    await put(4, { custom: { tier: null } });
    const sent = { package: mobile, timezone: 'Asia/Tokyo', custom: { tier: 2 } };
    expect(await put(10, sent)).to.deep.equal([
      overridden('package', fast, 9, 5),
      overridden('timezone', 'Europe/Berlin', 7),
      overridden('package', slow, 5),
      overridden('custom][tier', null, 4),
    ]);
  });

  it('with overwrite_all warns about every field that it replaces or removes', async () => {
    await put(20, { timezone: 'Europe/London' });
    await put(5, { package: 'Northwave:', custom: { tier: 'gold', floor: 3 } });
    const warnings = await put(10, { custom: { tier: 'gold' } }, { overwrite_all: true });
    expect(warnings).to.deep.equal([
      overridden('custom][floor', 3, 5),
      overridden('package', 'Northwave:', 5),
    ]);
  });

  it('warns about metadata that begins later, and not about time without metadata', async () => {
    await put(5, { package: fast });
    expect(await put(10, { package: slow })).to.deep.equal([overridden('package', fast, 5)]);
    await own.client.put({ agent: { unit_id: 2 }, metadata: { package: fast } });
    const other = await put(10, { timezone: 'Asia/Tokyo' }, { agent: { unit_id: 2 } });
    expect(other).to.equal(undefined);
  });

  it('counts the agents of an equal later change, and names the first of them', async () => {
    for (const unit of [1, 2, 3]) {
      await put(20, { timezone: 'Europe/London' }, { agent: { unit_id: unit } });
    }
    await put(5, { timezone: 'Europe/Paris' }, { agent: { unit_id: 1 } });
    await put(5, { timezone: 'Europe/Berlin' }, { agent: { timezone: 'Europe/London' } });
    const all = { agent: { custom: { panel: 'a' } } };
    for (const unit of [1, 2, 3]) {
      await put(20, { custom: { panel: 'a' } }, { agent: { unit_id: unit } });
    }
    expect(await put(10, { timezone: 'Asia/Tokyo' }, all)).to.deep.equal([
      { ...overridden('timezone', 'Europe/Berlin', 5), agents: 2, agentIds: ['box-2', 'box-3'] },
      overridden('timezone', 'Europe/Paris', 5),
    ]);
  });

  it('lists at most ten later changes, and says how many more there are', async () => {
    await put(20, { custom: { floor: 0 } });
    for (let day = 13; day > 0; day--) await put(day, { custom: { floor: day } });
    const { body } = await own.client.put({
      agent: { unit_id: 1 },
      metadata: { custom: { floor: 'none' } },
      backdate_from: daysAgo(15),
    });
    const { warnings } = body as { warnings?: OverrideWarning[] };
    expect(warnings).to.have.length(11);
    expect(warnings![0]).to.deep.include(overridden('custom][floor', 13, 13, 12));
    expect(warnings![0]!.message).to.equal(
      'This replaced a later change of an agent. To restore it, send "value" for these agents again ' +
        `with "backdate_from": ${daysAgo(13)}.`,
    );
    expect(warnings![10]).to.deep.equal({
      code: 'MORE_WARNINGS',
      message: '3 more overridden changes are not listed.',
    });
  });
});
