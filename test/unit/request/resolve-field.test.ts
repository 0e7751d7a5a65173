import { expect } from 'chai';
import fc from 'fast-check';
import { metricFields, standardFields } from '../../../services/catalog/fields.ts';
import type { Metric } from '../../../services/catalog/metric.ts';
import { statistics } from '../../../services/catalog/statistics.ts';
import { listedFilter, listedSplit } from '../../../services/query/listing/listed-field.ts';
import { usableFields } from '../../../services/query/listing/visible-catalog.ts';
import { resolveField } from '../../../services/query/request/resolve-field.ts';

const reservedNames = [
  ...[...standardFields, ...metricFields].map(({ name }) => name),
  ...statistics.map(({ name }) => name),
  ...['partial', 'percentiles', 'p50', 'coverage', 'shares', 'share30', 'suppressed'],
];

/** Names that are easily confused: of fields and columns, and with the prefix of custom fields. */
const confusingKey = fc
  .tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.oneof(fc.constantFrom('tier', 'custom', ...reservedNames), fc.string()),
  )
  .map(([prefixes, name]) => 'custom.'.repeat(prefixes) + name);

describe('the names of fields', () => {
  it('select what is listed under them, for every metric that lists them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(confusingKey, { maxLength: 12 }), (customKeys) => {
        const listed = usableFields({
          metrics: 'all',
          tests: 'all',
          minAgents: 0,
          customKeys,
          weightKeys: customKeys.slice(0, 1),
        });
        expect(new Set(listed.map(({ field }) => field.name)).size).to.equal(listed.length);
        for (const { field, ...visible } of listed) {
          for (const metric of [null, ...visible.metrics]) {
            expect(sourceOf(field.name, metric, customKeys)).to.equal(JSON.stringify(field.source));
          }
          const link = listedFilter({ field, ...visible }, (path) => path).values;
          expect(decodeURIComponent(link.split('/')[2]!)).to.equal(field.name);
          expect(listedSplit({ field, ...visible }).id).to.equal(field.name);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('select the same key whatever other keys exist', () => {
    fc.assert(
      fc.property(confusingKey, fc.array(confusingKey), (key, others) => {
        for (const name of [key, `custom.${key}`]) {
          const alone = sourceOf(name, null, [key]);
          if (alone === undefined) continue;
          expect(sourceOf(name, null, [key, ...others])).to.equal(alone);
        }
      }),
    );
  });

  it('of the keys tier and custom.tier are different', () => {
    const source = (name: string) => sourceOf(name, null, ['tier', 'custom.tier']);
    expect(source('tier')).to.equal('{"kind":"custom","key":"tier"}');
    expect(source('custom.tier')).to.equal('{"kind":"custom","key":"tier"}');
    expect(source('custom.custom.tier')).to.equal('{"kind":"custom","key":"custom.tier"}');
  });

  it('in an error show the name that selects a key with the prefix', () => {
    expect(resolveField('custom.tier', null, new Set(['custom.tier']))).to.deep.equal({
      problem: '"custom.tier" is a reserved name. Send "custom.custom.tier".',
    });
  });
});

/** What a name selects, as text: chai compares thousands of objects slowly. */
function sourceOf(
  name: string,
  metric: Metric | null,
  customKeys: readonly string[],
): string | undefined {
  const found = resolveField(name, metric, new Set(customKeys));
  return 'source' in found ? JSON.stringify(found.source) : undefined;
}
