import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { filledContract } from '../../../openapi/filled-contract.ts';
import { clientFiles, generatedFiles } from '../../../openapi/generated-files.ts';
import type { MetricQuery } from '../../../openapi/client/index.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the generated files', () => {
  it('are as make generate writes them', async () => {
    const files = [...(await generatedFiles()), ...(await clientFiles())];
    const outdated = files.filter(
      ({ path, content }) => content !== readFileSync(join(repositoryRoot, path), 'utf8'),
    );
    expect(outdated.map(({ path }) => path)).to.deep.equal([]);
  });

  it('show a statistic that the catalogue does not define as outdated', () => {
    const contract = readFileSync(join(repositoryRoot, 'openapi/query.yaml'), 'utf8');
    const changed = contract.replace(/^ {8}stdDev:/m, '        variance:');
    expect(changed).not.to.equal(contract);
    expect(filledContract(changed)).to.equal(filledContract(contract));
  });
});

describe('the typed client', () => {
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
