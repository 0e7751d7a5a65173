import { expect } from 'chai';
import { parseMetadataChange } from '../../../services/metadata/request/parse-metadata-change.ts';
import { customLimitSettings } from '../../../services/registry/organisations/custom-limits.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';

describe('the date of a change', () => {
  const now = new Date('2026-03-29T12:00:00.999Z');
  const daysAgo28 = Date.parse('2026-03-01T12:00:00Z') / 1000;

  it('may be exactly 28 days ago', async () => {
    expect((await parse(daysAgo28)).validFromUtc).to.deep.equal(new Date('2026-03-01T12:00:00Z'));
  });

  it('may not be a second earlier', async () => {
    const error = await parse(daysAgo28 - 1).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError);
    expect((error as AppError).status).to.equal(422);
  });

  it('may be a minute ahead, which counts as now, but not a second more', async () => {
    const nowS = Math.floor(now.getTime() / 1000);
    expect((await parse(nowS + 60)).validFromUtc).to.deep.equal(new Date(nowS * 1000));
    expect(await parse(nowS + 61).catch(() => 'refused')).to.equal('refused');
  });

  function parse(backdateFrom: number) {
    const body = {
      agent: { unit_id: 1 },
      metadata: { timezone: 'UTC' },
      backdate_from: backdateFrom,
    };
    const limits = readSettings(customLimitSettings, {});
    return parseMetadataChange(
      body,
      now,
      () => Promise.resolve('unknown package' as const),
      limits,
    );
  }
});
