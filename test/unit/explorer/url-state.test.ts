import { expect } from 'chai';
import {
  fragmentToView,
  isNewerLink,
  viewToFragment,
  withSavedState,
} from '../../../services/explorer/src/state/url-state.ts';
import {
  defaultView,
  viewKinds,
  type ViewState,
} from '../../../services/explorer/src/state/view-state.ts';

const id = '0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11';

/** Links without a version, as people have kept them, and what differs from the first view. */
const oldLinks: Readonly<Record<string, object>> = {
  'metric=httpget&split=isp&from=2026-11-01+00%3A00&to=2026-11-07+23%3A59': {
    metric: 'httpget',
    splits: ['isp'],
    lastDays: undefined,
    from: '2026-11-01 00:00',
    to: '2026-11-07 23:59',
  },
  'metric=httpget&aggregation=total&split=isp&panel=request&last=7&filter=%5B%22isp%22%2C%22exclude%22%2C%22Northwave%22%5D':
    {
      metric: 'httpget',
      aggregation: 'total',
      lastDays: 7,
      splits: ['isp'],
      filters: [{ id: 'isp', mode: 'exclude', values: ['Northwave'] }],
      panel: 'request',
    },
  'metric=httpget&from=-7+days': {
    metric: 'httpget',
    lastDays: undefined,
    from: '-7 days',
    to: 'now',
  },
  'view=distribution&metric=httpget&agent_agg=true&normalised=true&prefilter=false': {
    view: 'distribution',
    metric: 'httpget',
    agentAgg: true,
    normalised: true,
    prefilter: false,
  },
  'view=threshold&over=daily&threshold=100&relative_to=plan&intervals=results': {
    view: 'threshold',
    over: 'daily',
    threshold: 100,
    relativeTo: 'plan',
    intervals: 'results',
  },
  'view=change&with=group&with_filter=%5B%22isp%22%2C%22include%22%2C%22Northwave%22%5D&with_both=true':
    {
      view: 'change',
      compare: {
        ...defaultView.query.compare,
        with: 'group',
        filters: [{ id: 'isp', mode: 'include', values: ['Northwave'] }],
        isOfBoth: true,
      },
    },
  'view=change&with=period&with_from=2026-01-01&with_to=2026-01-31': {
    view: 'change',
    compare: {
      ...defaultView.query.compare,
      with: 'period',
      from: '2026-01-01',
      to: '2026-01-31',
    },
  },
  'view=change&with=window&with_window=sat.sun~': {
    view: 'change',
    compare: { ...defaultView.query.compare, with: 'window', window: 'sat.sun~' },
  },
  'view=ranking&method=fcc-2018&window=mon~19.20&min_agents=30&statistic=off': {
    view: 'ranking',
    report: { method: 'fcc-2018', statistic: 'off', window: 'mon~19.20', min_agents: '30' },
  },
  'view=heatmap&band=off&off=%5B%22A%22%5D&on=%5B%22B%22%5D': {
    view: 'heatmap',
    band: 'off',
    switchedOff: ['["A"]'],
    switchedOn: ['["B"]'],
  },
  'aggregation=raw&percentile=5&percentile=95&zoom=1~20&sort=-p95&panel=sql': {
    aggregation: 'raw',
    percentiles: ['5', '95'],
    zoom: { min: 1, max: 20 },
    sort: { column: 'p95', isDescending: true },
    panel: 'sql',
  },
  'view=map&metric=pingAvg': { view: 'map', metric: 'pingAvg' },
  'view=peak&saved=0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11': { view: 'peak', saved: id },
  'tab=agents&agent=100003': { tab: 'agents', agent: { field: 'unit', value: '100003' } },
  'tab=agents&by=mac&agent=00-00-00-00-00-01': {
    tab: 'agents',
    agent: { field: 'mac', value: '00-00-00-00-00-01' },
  },
};

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
        between: '10,30.5,100',
        over: 'weekly',
        compare: {
          with: 'group',
          from: '2026-01-01',
          to: '2026-01-31',
          filters: [{ id: 'isp', mode: 'include', values: ['A & B'] }],
          window: 'sat.sun~',
          knownAt: '2026-01-31 13:00',
          over: 'monthly',
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
        scale: 'log',
        relative: 'percent',
        panelsBy: 'isp',
        colours: 'own',
        panel: 'sql',
        sort: { column: 'p95', isDescending: true },
        figure: { size: 'phone', texts: { title: 'A & B', note: '' } },
        rank: { end: 'bottom', count: 10 },
        hasOthers: true,
      },
      agent: { field: 'mac', value: '00:1A:2B' },
      find: 'north & south',
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
    expect(viewToFragment(opened)).to.equal('view=ranking&metric=pingAvg&last=7&split=country&v=1');
    expect(viewToFragment(withSavedState(`#saved=${id}`, state))).to.equal(`${state}&v=1`);
    // A link that was saved with an id would open itself for ever.
    expect(withSavedState(`#saved=${id}`, `saved=${id}`)).to.deep.equal(defaultView);
  });

  for (const [fragment, changed] of Object.entries(oldLinks)) {
    it(`is read as before in the old link ${fragment}`, () => {
      const { query, display, ...others } = fragmentToView(fragment);
      const differing = <T extends object>(all: T, defaults: T) =>
        Object.fromEntries(
          Object.entries(all).filter(
            ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key as keyof T]),
          ),
        );
      expect({
        ...differing(query, defaultView.query),
        ...differing(display, defaultView.display),
        ...differing(others, defaultView as typeof others),
      }).to.deep.equal(changed);
    });
  }

  it('has the version of its form, and says of a newer one that it is newer', () => {
    const fragment = viewToFragment({ ...defaultView, tab: 'agents' });
    expect(fragment).to.equal('tab=agents&v=1');
    expect(isNewerLink(`#${fragment}`)).to.equal(false);
    expect(isNewerLink('#tab=agents')).to.equal(false);
    expect(isNewerLink('#tab=agents&v=2')).to.equal(true);
  });

  it('has figure texts of at most 2 kB together, or none of them', () => {
    const link = (title: string, note: string) =>
      new URLSearchParams({ figure: 'print', title, note }).toString();
    const texts = (fragment: string) => fragmentToView(fragment).display.figure.texts;
    expect(texts(link('a'.repeat(1000), 'é'.repeat(500)))).to.have.keys('title', 'note');
    expect(texts(link('a'.repeat(1000), 'é'.repeat(501)))).to.deep.equal({});
  });

  it('is empty for the initial view', () => {
    expect(viewToFragment(defaultView)).to.equal('');
    expect(fragmentToView('')).to.deep.equal(defaultView);
  });

  it('is ignored where it is invalid', () => {
    const invalid =
      'view=pie&last=0&threshold=x&aggregation=centennial&filter={&filter=[1]&zoom=9~3&band=42&panel=x&by=y&tab=z&over=raw&with=nobody&with_filter=x&with_window=noon&with_over=x&with_known_at=%3Cb%3E&between=a,b&scale=x&relative=x&colours=x&statistic=best&min_agents=-1&window=mon~25&shares=a&coverage=much&known_at=%3Cb%3E&figure=wall&rank=best~5';
    expect(fragmentToView(invalid)).to.deep.equal(defaultView);
  });
});
