import { expect } from 'chai';
import { fragmentToView, viewToFragment } from '../../../services/explorer/src/state/url-state.ts';
import { defaultView, type ViewState } from '../../../services/explorer/src/state/view-state.ts';

describe('the URL fragment of an explorer view', () => {
  it('contains the complete view', () => {
    const view: ViewState = {
      tab: 'agents',
      query: {
        view: 'threshold',
        metric: 'httpget',
        aggregation: 'hour_of_day',
        lastDays: undefined,
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
        intervals: 'results',
        relativeTo: 'custom.down_mbps',
        threshold: 12.5,
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

  it('is empty for the initial view', () => {
    expect(viewToFragment(defaultView)).to.equal('');
    expect(fragmentToView('')).to.deep.equal(defaultView);
  });

  it('is ignored where it is invalid', () => {
    const invalid =
      'view=pie&last=0&threshold=x&aggregation=yearly&filter={&filter=[1]&zoom=9~3&band=42&panel=x&by=y&tab=z';
    expect(fragmentToView(invalid)).to.deep.equal(defaultView);
  });
});
