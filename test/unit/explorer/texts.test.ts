import { expect } from 'chai';
import { estimateText, meanText } from '../../../services/explorer/src/dom/number-text.ts';
import { rankMatches } from '../../../services/explorer/src/dom/rank-matches.ts';
import { formWords } from '../../../services/explorer/src/form/form-words.ts';
import { wrapped } from '../../../services/explorer/src/drawing/shapes.ts';
import { xText } from '../../../services/explorer/src/series/time-text.ts';
import { colourSlots } from '../../../services/explorer/src/series/series.ts';

describe('the texts of the explorer', () => {
  it('round a mean to what its interval supports', () => {
    expect(estimateText(679.764841, 13.24)).to.equal('680 ± 13');
    expect(estimateText(679.764841, 0.0132)).to.equal('679.765 ± 0.013');
    expect(estimateText(123456, 1324)).to.equal('123,500 ± 1,300');
    expect(estimateText(679.764841, null)).to.equal('680');
    expect(estimateText(5, 0)).to.equal('5.000 ± 0.000');
    expect(meanText(64.2184, 8.04)).to.equal('64.2');
  });

  it('rank names that start with the search first, the shorter ones before', () => {
    const names = ['Retransmissions while downloading', 'Download speed, mobile', 'Download speed'];
    const searched = names.map((name) => ({ item: name, name, about: '' }));
    expect(rankMatches(searched, 'download')).to.deep.equal([...names].reverse());
  });

  it('wrap long names at separators, and cut nothing', () => {
    const name = 'Southern Cross Broadband:Satellite 50/with-a-long-end';
    const lines = wrapped(name, 110);
    expect(lines.length).to.be.greaterThan(2);
    expect(lines.join(' ').replaceAll(' ', '')).to.equal(name.replaceAll(' ', ''));
    expect(wrapped('x'.repeat(100), 70).join('')).to.equal('x'.repeat(100));
  });

  it('say what is wrong in the words of the form', () => {
    const words = formWords({
      'time[from]': ['Invalid time. Send YYYY-MM-DD HH:MM:SS.'],
      'filters[0][filterValues]': ['Send a list.'],
      strata: ['Other.'],
    });
    expect(words['time[from]']?.[0]).to.match(/^Enter a date/);
    expect(words['filters[0][filterValues]']).to.deep.equal([
      'Choose at least one value, or remove this filter.',
    ]);
    expect(words.strata).to.deep.equal(['Other.']);
  });

  it('name the period of a point', () => {
    const x = Date.parse('2026-10-01') / 1000;
    expect(xText(x, 'monthly')).to.equal('October 2026');
    expect(xText(x, 'quarterly')).to.equal('Q4 2026');
    expect(xText(Date.parse('2026-01-01') / 1000, 'yearly')).to.equal('2026');
  });

  it('give a value the same colour whatever else is shown', () => {
    const slotOf = colourSlots([['B', 'A', 'C'], ['1']]);
    expect([slotOf(['A', 1]), slotOf(['B', '1']), slotOf(['B', null])]).to.deep.equal([0, 2, 3]);
    expect(slotOf([null, '1'])).to.equal(6);
    expect(slotOf(['new', '1']))
      .to.equal(slotOf(['new', '1']))
      .and.to.be.lessThan(24);
  });
});
