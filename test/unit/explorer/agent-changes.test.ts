import { expect } from 'chai';
import type { AgentChange, MetadataPeriod } from '../../../openapi/client/index.ts';
import { diffSegments } from '../../../services/explorer/src/agents/diff-segments.ts';
import { undoUpdate } from '../../../services/explorer/src/agents/undo-update.ts';

const nowMs = Date.UTC(2026, 10, 16);
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`;

describe('the diff of a change', () => {
  it('is cut where the periods before it begin and end', () => {
    const change = {
      replaced: [period(day(10), null, 'b'), period(null, day(5), 'a')],
      recorded: [period(day(1), null, 'c')],
    };
    expect(diffSegments(change)).to.deep.equal([
      { from: day(10), to: null, fields: [packages('b', 'c')] },
      { from: day(5), to: day(10), fields: [isps(null, 'N'), packages(null, 'c')] },
      { from: day(1), to: day(5), fields: [packages('a', 'c')] },
    ]);
  });

  it('joins times in which the same values changed, and leaves out what stayed the same', () => {
    const change = {
      replaced: [
        period(day(10), null, 'a', { floor: 1, gone: 2 }),
        period(day(5), day(10), 'a', { floor: 1, gone: 2 }),
      ],
      recorded: [period(day(5), null, 'a', { floor: 2 })],
    };
    expect(diffSegments(change)).to.deep.equal([
      {
        from: day(5),
        to: null,
        fields: [
          { field: 'floor', before: '1', after: '2' },
          { field: 'gone', before: '2', after: null },
        ],
      },
    ]);
    expect(diffSegments({ replaced: [], recorded: [] })).to.deep.equal([]);
  });
});

describe('the undo of a change', () => {
  it('sets every value of each period that was replaced, the earliest first', () => {
    const change = changeOf(
      [period(day(10), null, 'b'), period(null, day(10), 'a', { floor: 1 })],
      [period(day(5), null, 'c')],
    );
    const history = [period(day(5), null, 'c'), period(null, day(5), 'a', { floor: 1 })];
    expect(undo(change, history)).to.deep.equal({
      update: {
        ...update(5, { package: 'N:a', custom: { floor: 1 } }),
        followed_by: [update(10, { package: 'N:b' })],
      },
    });
  });

  it('keeps values after the change that it did not touch', () => {
    // From the 12th on the agent had the new value already.
    const change = changeOf([period(null, day(12), 'a')], [period(day(5), day(12), 'c')]);
    const history = [
      period(day(12), null, 'c', { floor: 3 }),
      period(day(5), day(12), 'c'),
      period(null, day(5), 'a'),
    ];
    expect(undo(change, history)).to.deep.equal({
      update: {
        ...update(5, { package: 'N:a' }),
        followed_by: [update(12, { package: 'N:c', custom: { floor: 3 } })],
      },
    });
  });

  it('removes what was not known before, and writes an ISP without a package with a colon', () => {
    const change = changeOf([], [period(day(5), null, 'c')]);
    expect(undo(change, [period(day(5), null, 'c')])).to.deep.equal({ update: update(5, {}) });
    const isp = { ...period(day(5), null, 'x'), package: null };
    const other = changeOf([isp], [period(day(5), null, 'c')]);
    expect(undo(other, [period(day(5), null, 'c')])).to.deep.equal({
      update: update(5, { package: 'N:' }),
    });
  });

  it('is not offered for a change from more than 28 days ago, or one that is incomplete', () => {
    const old = changeOf([], [period(null, null, 'c')]);
    expect(undo(old, [])).to.have.property('reason').that.includes('28 days');
    const large = { ...changeOf([], [period(day(5), null, 'c')]), isComplete: false };
    expect(undo(large, [])).to.have.property('reason').that.includes('too large');
  });
});

function undo(change: AgentChange, periods: readonly MetadataPeriod[]) {
  return undoUpdate(change, { items: periods, isComplete: true }, nowMs);
}

function update(dayOfMonth: number, metadata: object) {
  return { metadata, overwrite_all: true, backdate_from: Date.parse(day(dayOfMonth)) / 1000 };
}

function changeOf(replaced: MetadataPeriod[], recorded: MetadataPeriod[]): AgentChange {
  const recordedBy = { kind: 'token', name: 'test' } as const;
  return { id: 1, recordedAt: day(15), recordedBy, isComplete: true, replaced, recorded };
}

function period(
  from: string | null,
  to: string | null,
  name: string,
  custom: Record<string, number> = {},
): MetadataPeriod {
  const recordedBy = { kind: 'token', name: 'test' } as const;
  return {
    from,
    to,
    isp: 'N',
    package: `N:${name}`,
    timezone: null,
    custom,
    recordedAt: day(15),
    recordedBy,
  };
}

function packages(before: string | null, after: string) {
  return { field: 'Package', before: before === null ? null : `N:${before}`, after: `N:${after}` };
}

function isps(before: string | null, after: string) {
  return { field: 'ISP', before, after };
}
