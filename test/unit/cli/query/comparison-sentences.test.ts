import { expect } from 'chai';
import { comparisonSentences } from '../../../../services/cli/query/comparison-sentences.ts';
import { resultTable } from '../../../../services/cli/query/result-table.ts';
import type { Row } from '../../../../services/cli/query/result-rows.ts';
import { styleFor } from '../../../../services/cli/terminal/style.ts';

const tested = {
  isp: 'Northwave',
  metricValue: 87.7,
  comparedMetricValue: 83.5,
  differenceMetricValue: 4.2,
  differencePercent: 5.0299,
  differenceCi95: 3.1,
  differenceP: 0.008,
  differencePAdjusted: 0.02,
  differenceReason: null,
  householdsBoth: 312,
  householdsOnlyHere: 40,
  householdsOnlyThere: 22,
  sampleCount: 4_000,
};
const untested = {
  ...tested,
  differenceCi95: null,
  differenceP: null,
  differencePAdjusted: null,
};
const sentence = (...rows: readonly Row[]) => comparisonSentences(rows, ['isp']).join('\n');

describe('the sentences of a comparison', () => {
  it('give a significant difference with its interval and households', () => {
    expect(sentence(tested)).to.equal(
      'Northwave: 87.7, 4.2 (5.03 %) more than 83.5; 95 % interval 1.1 to 7.3, p = 0.008 (adjusted 0.02), 312 households on both sides, 40 only here, 22 only there.',
    );
    const less = {
      ...tested,
      metricValue: 79.3,
      differenceMetricValue: -4.2,
      differencePercent: null,
      differenceP: 1e-9,
      differencePAdjusted: null,
      householdsBoth: 1,
    };
    expect(sentence(less)).to.equal(
      'Northwave: 79.3, 4.2 less than 83.5; 95 % interval -7.3 to -1.1, p < 0.001, 1 household on both sides, 40 only here, 22 only there.',
    );
  });

  it('claim no difference if its p, or its adjusted p, is not below 5 %', () => {
    const harbour = {
      ...tested,
      isp: 'Harbour',
      comparedMetricValue: 86.9,
      differenceMetricValue: 0.8,
      differenceCi95: 2,
      differenceP: 0.44,
      differencePAdjusted: null,
    };
    expect(sentence(harbour)).to.equal(
      'Harbour: no significant difference: 87.7 against 86.9, difference 0.8, 95 % interval -1.2 to 2.8, p = 0.44.',
    );
    expect(sentence({ ...tested, differencePAdjusted: 0.05 })).to.include(
      'no significant difference: 87.7 against 83.5, difference 4.2, 95 % interval 1.1 to 7.3, p = 0.008 (adjusted 0.05).',
    );
  });

  it('give the reason why a difference is not tested', () => {
    const texts = {
      fewHouseholds: 'a side has fewer than two households',
      noVariance: 'the difference has no variance',
      suppressed: 'a side is suppressed, or the privacy floor hides the difference or its error',
    };
    for (const [differenceReason, text] of Object.entries(texts)) {
      expect(sentence({ ...untested, differenceReason })).to.equal(
        `Northwave: not tested: ${text}.`,
      );
    }
  });

  it('name the side that a series is missing on', () => {
    const absent = {
      ...untested,
      differenceMetricValue: null,
      differenceReason: 'noComparedValue',
    };
    expect(
      sentence(
        { ...absent, comparedMetricValue: null },
        { ...absent, isp: 'Cedar', metricValue: null },
      ),
    ).to.equal('Northwave: 87.7 here, no value there.\nCedar: no value here, 83.5 there.');
  });

  it('count the buckets of a series that differ', () => {
    const day = (number: number, changes: object) => ({
      ...tested,
      dtime: `2026-11-0${number}`,
      ...changes,
    });
    const same = { differenceP: 0.4, differencePAdjusted: 0.6 };
    const absent = {
      ...untested,
      differenceMetricValue: null,
      metricValue: null,
      differenceReason: 'noComparedValue',
    };
    expect(
      sentence(
        ...[day(1, {}), day(2, same), day(3, absent)],
        day(4, { differenceMetricValue: -9, differencePercent: -9.5 }),
        ...[day(1, { ...same, isp: 'Harbour' }), day(2, { ...same, isp: 'Harbour' })],
        ...[day(1, { ...absent, isp: 'Cedar' }), day(2, { ...absent, isp: 'Cedar' })],
      ),
    ).to.equal(
      [
        'Northwave: 2 of 4 buckets differ significantly: 1 higher, 1 lower, most in 2026-11-04: 9 (9.5 %) less; 1 not tested: no value here.',
        'Harbour: no significant difference in 2 buckets.',
        'Cedar: none of 2 buckets tested: no value here.',
      ].join('\n'),
    );
    const { isp, ...hour } = { ...tested, aggregatedNumber: 19 };
    expect(isp).to.equal('Northwave');
    expect(comparisonSentences([hour], [])).to.deep.equal([
      'all: 1 of 1 bucket differs significantly: 1 higher, 0 lower, most in 19: 4.2 (5.03 %) more.',
    ]);
  });

  it('follow a table of both sides, with a reason and an adjusted p only if a row has one', () => {
    const table = (...rows: readonly Row[]) =>
      resultTable(rows, ['isp'], undefined, styleFor({})).split('\n');
    expect(table({ ...tested, differencePAdjusted: null })).to.deep.equal([
      'isp        metricValue  compared  difference  percent  differenceCi95      p  both  onlyHere  onlyThere',
      'Northwave         87.7      83.5         4.2     5.03             3.1  0.008   312        40         22',
    ]);
    const [header, , last] = table(tested, { ...untested, differenceReason: 'noVariance' });
    expect(header).to.match(/ p +pAdjusted +both +onlyHere +onlyThere +reason$/);
    expect(last).to.match(/ - +- +312 +40 +22 +noVariance$/);
  });
});
