import { expect } from 'chai';
import { isMasked, isMaskedText, maskableColumns } from '../../../services/catalog/masked.ts';

describe('masked values of published panels', () => {
  it('are words of value columns, each column once', () => {
    expect(maskableColumns).to.include.members(['download_mean', 'download_18to19', 'dns_failure']);
    expect(maskableColumns).to.not.include.members(['period_end', 'masked', 'dtime']);
    for (const text of ['', 'download_mean:above', 'busy_web_mean:below download_mean:above']) {
      expect(isMaskedText(text), text).to.equal(true);
    }
    const invalid = [
      'download_mean',
      'download_mean:over',
      'unit_id:above',
      'dns_mean:above:below',
    ];
    for (const text of [...invalid, 'web_mean:above web_mean:below', ' web_mean:above']) {
      expect(isMaskedText(text), text).to.equal(false);
    }
  });

  it('are found in a row by the word of their column', () => {
    expect(isMasked('download_mean', 'above')).to.equal(
      "has(splitByChar(' ', masked), 'download_mean:above')",
    );
  });
});
