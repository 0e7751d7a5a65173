import { expect } from 'chai';
import { testOfFile } from '../../../services/load/watch/load-found-file.ts';

describe('the test of a watched file', () => {
  const tests = ['dns', 'httpget', 'mobile_latency', 'ping'];
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['httpget/2026-11-01.csv', 'httpget'],
    ['2026/HTTPGET/11/day.csv', 'httpget'],
    ['httpget-2026-11-01.csv.gz', 'httpget'],
    ['mobile_latency_20261101.csv', 'mobile_latency'],
    ['dns.csv', 'dns'],
    // The folder is more specific than the name, the inner folder than the outer one.
    ['dns/ping-1.csv', 'dns'],
    ['dns/ping/1.csv', 'ping'],
    ['dnssec.csv', undefined],
    ['ping6.csv', undefined],
    ['day-dns.csv', undefined],
    ['2026-11-01.csv', undefined],
  ];
  for (const [name, test] of cases) {
    it(`${name}: ${test ?? 'none'}`, () => {
      expect(testOfFile(name, tests)).to.equal(test);
    });
  }
});
