import { aggregationKeys } from '../../../catalog/aggregations.ts';
import {
  figureSizeKeys,
  figureTextKeys,
  maxTextBytes,
  type OwnTexts,
  textBytes,
} from './figure-options.ts';
import { readThresholds } from './thresholds.ts';
import { isReportText, type ReportKey, reportKeys, type ReportOptions } from './report-texts.ts';
import {
  type Aggregation,
  comparedWith,
  type ComparedWith,
  type Comparison,
  defaultView,
  type DisplayOptions,
  lookupFields,
  type Query,
  type QueryFilter,
  type SeriesRank,
  viewKinds,
  type ViewState,
} from './view-state.ts';

/**
 * Raised when a key gets another meaning or a default changes, so that older links can be read as they were meant.
 * Links without a version are of the first one.
 */
const linkVersion = 1;

/**
 * The view as the fragment of a URL: `metric=httpget&aggregation=daily&split=isp`. Defaults are left
 * out. Browsers do not send fragments, so agents never appear in a server log.
 */
export function viewToFragment({ tab, saved, query, display, agent, find }: ViewState): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string, defaultValue: string) => {
    if (value !== defaultValue) params.append(name, value);
  };
  const { query: q, display: d } = defaultView;
  put('tab', tab, defaultView.tab);
  put('saved', saved, defaultView.saved);
  put('view', query.view, q.view);
  put('metric', query.metric, q.metric);
  put('aggregation', query.aggregation, q.aggregation);
  if (query.lastDays === undefined) {
    params.append('from', query.from);
    params.append('to', query.to);
  } else put('last', String(query.lastDays), String(q.lastDays));
  for (const split of query.splits) params.append('split', split);
  const putFilters = (name: string, filters: readonly QueryFilter[]) => {
    for (const { id, mode, values } of filters) {
      params.append(name, JSON.stringify([id, mode, ...values]));
    }
  };
  putFilters('filter', query.filters);
  put('prefilter', String(query.prefilter), String(q.prefilter));
  put('normalised', String(query.normalised), String(q.normalised));
  put('agent_agg', String(query.agentAgg), String(q.agentAgg));
  put('intervals', query.intervals, q.intervals);
  put('relative_to', query.relativeTo, q.relativeTo);
  put('threshold', String(query.threshold), String(q.threshold));
  put('between', query.between, q.between);
  put('over', query.over, q.over);
  const { compare } = query;
  put('with', compare.with, q.compare.with);
  put('with_from', compare.from, '');
  put('with_to', compare.to, '');
  putFilters('with_filter', compare.filters);
  put('with_window', compare.window, '');
  put('with_known_at', compare.knownAt, '');
  put('with_over', compare.over, q.compare.over);
  put('with_both', String(compare.isOfBoth), 'false');
  for (const key of reportKeys) put(key, query.report[key] ?? '', '');
  put('band', display.band, d.band);
  for (const percentile of display.percentiles) params.append('percentile', percentile);
  if (display.zoom !== undefined) params.append('zoom', `${display.zoom.min}~${display.zoom.max}`);
  for (const key of display.switchedOff) params.append('off', key);
  for (const key of display.switchedOn) params.append('on', key);
  put('scale', display.scale, d.scale);
  put('relative', display.relative, d.relative);
  put('panels', display.panelsBy, d.panelsBy);
  put('colours', display.colours, d.colours);
  put('panel', display.panel, d.panel);
  if (display.sort !== undefined) {
    params.append('sort', `${display.sort.isDescending ? '-' : ''}${display.sort.column}`);
  }
  if (display.rank !== undefined)
    params.append('rank', `${display.rank.end}~${display.rank.count}`);
  put('others', String(display.hasOthers), 'false');
  put('figure', display.figure.size ?? '', '');
  for (const [key, text] of Object.entries(display.figure.texts)) params.append(key, text);
  put('by', agent.field, defaultView.agent.field);
  put('agent', agent.value, defaultView.agent.value);
  put('find', find, defaultView.find);
  if (params.size > 0) params.append('v', String(linkVersion));
  return params.toString();
}

/** Whether a later version of the page made the link. */
export function isNewerLink(fragment: string): boolean {
  return Number(new URLSearchParams(fragment.replace(/^#/, '')).get('v')) > linkVersion;
}

/** Parses the fragment of a URL. Missing and invalid values get their defaults. */
export function fragmentToView(fragment: string): ViewState {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const field = lookupFields.find((candidate) => candidate === params.get('by'));
  return {
    tab: params.get('tab') === 'agents' ? 'agents' : 'data',
    saved: params.get('saved') ?? defaultView.saved,
    query: readQuery(params),
    display: readDisplay(params),
    agent: { field: field ?? defaultView.agent.field, value: params.get('agent') ?? '' },
    find: params.get('find') ?? defaultView.find,
  };
}

/**
 * The view of a link to a saved view, changed by what else the link has: `saved=…&view=ranking` is the saved view as a
 * ranking.
 */
export function withSavedState(fragment: string, state: string): ViewState {
  const own = new URLSearchParams(fragment.replace(/^#/, ''));
  const merged = new URLSearchParams(state);
  // A view has one range: the dates of one link and the last days of the other would contradict each other.
  const range = ['from', 'to', 'last'];
  if (range.some((key) => own.has(key))) for (const key of range) merged.delete(key);
  for (const key of new Set(own.keys())) merged.delete(key);
  for (const [key, value] of own) merged.append(key, value);
  return { ...fragmentToView(merged.toString()), saved: '' };
}

function readQuery(params: URLSearchParams): Query {
  const { query: defaults } = defaultView;
  const flag = (name: string, fallback: boolean) =>
    params.has(name) ? params.get(name) === 'true' : fallback;
  const threshold = Number(params.get('threshold') ?? NaN);
  return {
    view: viewKinds.find((kind) => kind === params.get('view')) ?? defaults.view,
    metric: params.get('metric') ?? defaults.metric,
    aggregation: readAggregation(params.get('aggregation')),
    ...readRange(params),
    splits: params.getAll('split'),
    filters: params.getAll('filter').flatMap(readFilter),
    prefilter: flag('prefilter', defaults.prefilter),
    normalised: flag('normalised', defaults.normalised),
    agentAgg: flag('agent_agg', defaults.agentAgg),
    intervals: params.get('intervals') === 'results' ? 'results' : defaults.intervals,
    relativeTo: params.get('relative_to') ?? defaults.relativeTo,
    threshold: Number.isFinite(threshold) ? threshold : defaults.threshold,
    between: readThresholds(params.get('between') ?? '').join(','),
    over: readOver(params, 'over'),
    compare: readComparison(params),
    report: readReport(params),
  };
}

function readComparison(params: URLSearchParams): Comparison {
  const kinds = Object.keys(comparedWith) as readonly ComparedWith[];
  return {
    with: kinds.find((kind) => kind === params.get('with')) ?? defaultView.query.compare.with,
    from: params.get('with_from') ?? '',
    to: params.get('with_to') ?? '',
    filters: params.getAll('with_filter').flatMap(readFilter),
    window: validText(params, 'with_window', 'window') ?? '',
    knownAt: validText(params, 'with_known_at', 'known_at') ?? '',
    over: readOver(params, 'with_over'),
    isOfBoth: params.get('with_both') === 'true',
  };
}

function readReport(params: URLSearchParams): ReportOptions {
  const texts = reportKeys.map((key) => [key, validText(params, key, key)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

function validText(params: URLSearchParams, name: string, key: ReportKey): string | undefined {
  const text = params.get(name);
  return text !== null && isReportText(key, text) ? text : undefined;
}

/** Two ends, or the last days. */
function readRange(params: URLSearchParams): Pick<Query, 'lastDays' | 'from' | 'to'> {
  const [from, to] = [params.get('from'), params.get('to')];
  if (from !== null || to !== null) {
    return { lastDays: undefined, from: from ?? '', to: to ?? 'now' };
  }
  const days = Number(params.get('last') ?? NaN);
  const isDays = Number.isInteger(days) && days > 0 && days <= 3660;
  return { lastDays: isDays ? days : defaultView.query.lastDays, from: '', to: '' };
}

function readOver(params: URLSearchParams, name: string): Query['over'] {
  return aggregationKeys.find((key) => key === params.get(name)) ?? defaultView.query.over;
}

function readAggregation(text: string | null): Aggregation {
  const known: readonly Aggregation[] = [...aggregationKeys, 'raw'];
  return known.find((candidate) => candidate === text) ?? defaultView.query.aggregation;
}

function readFilter(text: string): QueryFilter[] {
  const parts = readJson(text);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return [];
  const [id, mode, ...values] = parts as readonly string[];
  if (id === undefined || (mode !== 'include' && mode !== 'exclude')) return [];
  return [{ id, mode, values }];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readDisplay(params: URLSearchParams): DisplayOptions {
  const { display: defaults } = defaultView;
  const [min = NaN, max = NaN] = (params.get('zoom') ?? '').split('~').map(Number);
  const sort = params.get('sort') ?? '';
  const band = (['off', '90', '95', '99'] as const).find((one) => one === params.get('band'));
  const relative = (['index', 'percent'] as const).find((one) => one === params.get('relative'));
  const panel = (['table', 'request', 'sql'] as const).find((one) => one === params.get('panel'));
  return {
    band: band ?? defaults.band,
    percentiles: params.getAll('percentile'),
    zoom: min < max ? { min, max } : undefined,
    switchedOff: params.getAll('off'),
    switchedOn: params.getAll('on'),
    scale: params.get('scale') === 'log' ? 'log' : defaults.scale,
    relative: relative ?? defaults.relative,
    panelsBy: params.get('panels') ?? defaults.panelsBy,
    colours: params.get('colours') === 'own' ? 'own' : defaults.colours,
    panel: panel ?? defaults.panel,
    sort:
      sort === ''
        ? undefined
        : { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') },
    figure: {
      size: figureSizeKeys.find((one) => one === params.get('figure')),
      texts: readTexts(params),
    },
    rank: readRank(params.get('rank') ?? ''),
    hasOthers: params.get('others') === 'true',
  };
}

function readRank(text: string): SeriesRank | undefined {
  const [, end, count] = /^(top|bottom)~([1-9]\d?)$/.exec(text) ?? [];
  return end === undefined ? undefined : { end: end as SeriesRank['end'], count: Number(count) };
}

/** None if they are too long: a link with half of a sentence would be worse. */
function readTexts(params: URLSearchParams): OwnTexts {
  const given = figureTextKeys.flatMap((key) => {
    const text = params.get(key);
    return text === null ? [] : [[key, text] as const];
  });
  const texts: OwnTexts = Object.fromEntries(given);
  return textBytes(texts) > maxTextBytes ? {} : texts;
}
