import { expect } from 'chai';
import { suggestion } from '../../../services/query/request/suggestion.ts';

const metrics = ['httpget', 'httppost', 'dnsFail', 'isp'];

describe('the suggestion for an unknown name', () => {
  for (const [typed, meant] of [
    ['httpgt', 'httpget'],
    ['httpgetx', 'httpget'],
    ['htptget', 'httpget'],
    ['HTTPPOST', 'httppost'],
    ['ips', 'isp'],
    ['dnsfail', 'dnsFail'],
  ] as const) {
    it(`is ${meant} for ${typed}`, () => {
      expect(suggestion(typed, metrics)).to.equal(`Did you mean "${meant}"?`);
    });
  }

  it('is the nearest of several similar names', () => {
    expect(suggestion('tier_33', ['tier_1', 'tier_3'])).to.equal('Did you mean "tier_3"?');
  });

  it('lists the names if none is similar', () => {
    expect(suggestion('zzz', metrics)).to.equal('Send one of: httpget, httppost, dnsFail, isp.');
  });

  it('lists at most ten names and says how many more there are', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `key_${i}`);
    expect(suggestion('zzz', names)).to.equal(
      `Send one of: ${names.slice(0, 10).join(', ')} and 1990 more.`,
    );
  });

  it('stays short whatever the names are', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `${i}-${'x'.repeat(10_000)}`);
    expect(suggestion('y'.repeat(1_000_000), names).length).to.be.below(3_000);
  });
});
