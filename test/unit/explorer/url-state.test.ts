import { expect } from 'chai';
import {
  fragmentToView,
  viewToFragment,
  withSavedState,
} from '../../../services/explorer/src/state/url-state.ts';
import {
  defaultView,
  viewKinds,
  type ViewState,
} from '../../../services/explorer/src/state/view-state.ts';

const id = '0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11';

describe('the URL fragment of an explorer view', () => {
  it('contains the complete view', () => {
    const view: ViewState = {
      tab: 'agents',
      saved: id,
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
        relativeTo: 'custom.advertised_download_mbps',
        threshold: 12.5,
        over: 'weekly',
        compare: {
          with: 'group',
          from: '2026-01-01',
          to: '2026-01-31',
          filters: [{ id: 'isp', mode: 'include', values: ['A & B'] }],
          window: 'sat.sun~',
          isOfBoth: true,
        },
        report: {
          method: 'fcc-2018',
          statistic: 'p97.5',
          trim: '~99',
          trim_over: 'range',
          min_results: '5',
          min_days: '3',
          weight: 'custom.weight & more',
          percentile_rule: 'lower',
          consistent: '20~80',
          switchers: 'off',
          window: 'mon.fri~0.19.23',
          known_at: '2026-01-31 13:00:00',
          shares: '25,50.5,-1',
          min_agents: '25',
          coverage: '0.5',
        },
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

  it('names a saved view and a kind of view by two keys', () => {
    for (const view of viewKinds) expect(fragmentToView(`view=${view}`).saved).to.equal('');
    const both = fragmentToView(`saved=${id}&view=ranking`);
    expect([both.saved, both.query.view]).to.deep.equal([id, 'ranking']);
  });

  it('changes the parts of a saved view that it also has', () => {
    const state = 'view=peak&metric=pingAvg&from=2026-01-01&to=2026-01-31&split=isp&split=package';
    const opened = withSavedState(`#saved=${id}&view=ranking&last=7&split=country`, state);
    expect(viewToFragment(opened)).to.equal('view=ranking&metric=pingAvg&last=7&split=country');
    expect(viewToFragment(withSavedState(`#saved=${id}`, state))).to.equal(state);
    // A link that was saved with an id would open itself for ever.
    expect(withSavedState(`#saved=${id}`, `saved=${id}`)).to.deep.equal(defaultView);
  });

  it('is empty for the initial view', () => {
    expect(viewToFragment(defaultView)).to.equal('');
    expect(fragmentToView('')).to.deep.equal(defaultView);
  });

  it('is ignored where it is invalid', () => {
    const invalid =
      'view=pie&last=0&threshold=x&aggregation=centennial&filter={&filter=[1]&zoom=9~3&band=42&panel=x&by=y&tab=z&over=raw&with=nobody&with_filter=x&with_window=noon&statistic=best&min_agents=-1&window=mon~25&shares=a&coverage=much&known_at=%3Cb%3E';
    expect(fragmentToView(invalid)).to.deep.equal(defaultView);
  });
});
