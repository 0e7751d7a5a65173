import { expect } from 'chai';
import { fragmentToView, viewToFragment } from '../../../services/explorer/src/state/url-state.ts';
import { defaultView, type ViewState } from '../../../services/explorer/src/state/view-state.ts';

describe('the link of a view in the explorer', () => {
  it('tells the whole view', () => {
    const view: ViewState = {
      tab: 'agents',
      query: {
        metric: 'httpget',
        aggregation: 'hour_of_day',
        from: 'last monday',
        to: '2026-01-31 13:00:00',
        splits: ['isp', 'custom.tier'],
        filters: [
          { id: 'isp', mode: 'exclude', values: ['A & B', '"C", 100% #1'] },
          { id: 'isp', mode: 'exclude', values: [] },
        ],
        prefilter: false,
        normalised: true,
        agentAgg: true,
      },
      display: {
        band: 'off',
        percentiles: ['5', '95'],
        zoom: { min: 1.5, max: 20 },
        switchedOff: ['["A & B",null]'],
        switchedOn: ['["C",4]'],
        panel: 'sql',
        sort: { column: 'p95', isDescending: true },
      },
      agent: { field: 'mac', value: '00:1A:2B' },
    };
    expect(fragmentToView(`#${viewToFragment(view)}`)).to.deep.equal(view);
  });

  it('is empty for the view that a person meets first', () => {
    expect(viewToFragment(defaultView)).to.equal('');
    expect(fragmentToView('')).to.deep.equal(defaultView);
  });

  it('means the first view where it makes no sense', () => {
    const nonsense = 'aggregation=yearly&filter={&filter=[1]&zoom=9~3&band=42&panel=x&by=y&tab=z';
    expect(fragmentToView(nonsense)).to.deep.equal(defaultView);
  });
});
