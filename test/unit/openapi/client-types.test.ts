import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { clientTypes, contracts } from '../../../openapi/client-types.ts';
import type { MetricQuery } from '../../../openapi/client/index.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the typed client', () => {
  for (const name of contracts) {
    it(`has the types of openapi/${name}.yaml as it is now (make client writes them)`, async () => {
      const committed = readFileSync(join(repositoryRoot, `openapi/client/${name}.ts`), 'utf8');
      expect(committed === (await clientTypes(name)), 'make client has not been run').to.be.true;
    });
  }

  it('does not compile with an aggregation that there is not, or without a range', () => {
    // The compiler is the judge: with looser types these two lines would not build.
    const fortnightly: Fits<{ aggregation: 'fortnightly' }> = false;
    const withoutTime: Fits<{ time: undefined }> = false;
    const daily: Fits<{ aggregation: 'daily' }> = true;
    expect([fortnightly, withoutTime, daily]).to.deep.equal([false, false, true]);
  });
});

interface Daily {
  metric: string;
  chartType: 'aggregate';
  aggregation: 'daily';
  normalised: boolean;
  prefilter: boolean;
  time: { from: string; to: string };
}

/** Whether a request for daily data, changed so, is still one for the compiler. */
type Fits<Change> = Omit<Daily, keyof Change> & Change extends MetricQuery ? true : false;
