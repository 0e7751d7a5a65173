import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { shortenedJson } from '../../../services/query/audit/shortened-json.ts';

const limit = 65_536;

describe('a request in the query audit', () => {
  it('is stored unchanged up to the limit', () => {
    const text = JSON.stringify({ metric: 'x'.repeat(limit - 13) });
    expect(Buffer.byteLength(text)).to.equal(limit);
    expect(shortenedJson(text, limit)).to.equal(text);
  });

  it('keeps its meaning when it is longer: short fields first, the first values, their number', () => {
    const values = Array.from({ length: 1_000 }, (_, i) => `package ${i} ${'x'.repeat(70)}`);
    const body = {
      filters: [{ id: 'package', filterType: 'include', filterValues: values }],
      metric: 'httpget',
      time: { from: '2026-01-01 00:00', to: '2026-01-02 00:00' },
      splits: ['isp'],
    };
    const text = JSON.stringify(body);
    const stored = shortenedJson(text, limit);
    expect(stored).to.match(/^\{"splits":\["isp"\],"metric":"httpget","time":\{/);
    expect(JSON.parse(stored)).to.deep.equal({
      metric: 'httpget',
      splits: ['isp'],
      time: body.time,
      filters: [
        {
          id: 'package',
          filterType: 'include',
          filterValues: { first: values.slice(0, 20), count: 1_000 },
        },
      ],
      shortened: {
        bytes: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      },
    });
  });

  it('is valid JSON within the limit, whatever was sent', () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? '😀'.repeat(500) : Array.from({ length: 30 }, () => nested(levels - 1));
    const bodies: unknown[] = [
      'x'.repeat(100_000),
      Array.from({ length: 30_000 }, (_, i) => i),
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, i])),
      { ['k'.repeat(100_000)]: 1 },
      JSON.parse(`{"__proto__": "${'p'.repeat(100_000)}"}`),
      { ['😀'.repeat(40_000)]: '😀'.repeat(40_000) },
      nested(2),
    ];
    for (const body of bodies) {
      const text = JSON.stringify(body);
      const stored = shortenedJson(text, limit);
      expect(Buffer.byteLength(stored)).to.be.at.most(limit);
      const { shortened } = JSON.parse(stored) as { shortened: { bytes: number } };
      expect(shortened.bytes).to.equal(Buffer.byteLength(text));
    }
  });
});
