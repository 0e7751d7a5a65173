import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { filledContract } from '../../../openapi/filled-contract.ts';
import { clientFiles, generatedFiles } from '../../../openapi/generated-files.ts';
import type { MetricQuery } from '../../../openapi/client/index.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the generated files', () => {
  it('are up to date with make generate', async () => {
    const files = [...(await generatedFiles()), ...(await clientFiles())];
    const outdated = files.filter(
      ({ path, content }) => content !== readFileSync(join(repositoryRoot, path), 'utf8'),
    );
    expect(outdated.map(({ path }) => path)).to.deep.equal([]);
  });

  it('do not keep a statistic that the catalogue does not define', () => {
    const contract = readFileSync(join(repositoryRoot, 'openapi/query.yaml'), 'utf8');
    const changed = contract.replace(/^ {8}stdDev:/m, '        variance:');
    expect(changed).not.to.equal(contract);
    expect(filledContract(changed)).to.equal(filledContract(contract));
  });
});

describe('the typed client', () => {
  it('does not compile with an unknown aggregation or without a time range', () => {
    // With looser types the compiler would reject these two lines.
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

/** Whether the compiler accepts a request for daily data with this change. */
type Fits<Change> = Omit<Daily, keyof Change> & Change extends MetricQuery ? true : false;
