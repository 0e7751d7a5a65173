import { aggregationKeys } from '../../../catalog/aggregations.ts';
import {
  type Aggregation,
  firstView,
  type Look,
  lookupFields,
  type Question,
  type QuestionFilter,
  type ViewState,
} from './view-state.ts';

/**
 * The view as the fragment of a link: `metric=httpget&aggregation=daily&split=isp`. What is as it is
 * at first is left out. The fragment stays in the browser: no log of a server has the agents in it.
 */
export function viewToFragment({ tab, question, look, agent }: ViewState): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string, usual: string) => {
    if (value !== usual) params.append(name, value);
  };
  const { question: q, look: l } = firstView;
  put('tab', tab, firstView.tab);
  put('metric', question.metric, q.metric);
  put('aggregation', question.aggregation, q.aggregation);
  put('from', question.from, q.from);
  put('to', question.to, q.to);
  for (const split of question.splits) params.append('split', split);
  for (const { id, mode, values } of question.filters) {
    params.append('filter', JSON.stringify([id, mode, ...values]));
  }
  put('prefilter', String(question.prefilter), String(q.prefilter));
  put('normalised', String(question.normalised), String(q.normalised));
  put('agent_agg', String(question.agentAgg), String(q.agentAgg));
  put('band', look.band, l.band);
  for (const percentile of look.percentiles) params.append('percentile', percentile);
  if (look.zoom !== undefined) params.append('zoom', `${look.zoom.min}~${look.zoom.max}`);
  for (const key of look.switchedOff) params.append('off', key);
  for (const key of look.switchedOn) params.append('on', key);
  put('panel', look.panel, l.panel);
  if (look.sort !== undefined) {
    params.append('sort', `${look.sort.isDescending ? '-' : ''}${look.sort.column}`);
  }
  put('by', agent.field, firstView.agent.field);
  put('agent', agent.value, firstView.agent.value);
  return params.toString();
}

/** What a link tells; where it tells nothing that makes sense, as it is at first. */
export function fragmentToView(fragment: string): ViewState {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const field = lookupFields.find((candidate) => candidate === params.get('by'));
  return {
    tab: params.get('tab') === 'agents' ? 'agents' : 'data',
    question: readQuestion(params),
    look: readLook(params),
    agent: { field: field ?? firstView.agent.field, value: params.get('agent') ?? '' },
  };
}

function readQuestion(params: URLSearchParams): Question {
  const { question: usual } = firstView;
  const flag = (name: string, fallback: boolean) =>
    params.has(name) ? params.get(name) === 'true' : fallback;
  return {
    metric: params.get('metric') ?? usual.metric,
    aggregation: readAggregation(params.get('aggregation')),
    from: params.get('from') ?? usual.from,
    to: params.get('to') ?? usual.to,
    splits: params.getAll('split'),
    filters: params.getAll('filter').flatMap(readFilter),
    prefilter: flag('prefilter', usual.prefilter),
    normalised: flag('normalised', usual.normalised),
    agentAgg: flag('agent_agg', usual.agentAgg),
  };
}

function readAggregation(text: string | null): Aggregation {
  const known: readonly Aggregation[] = [...aggregationKeys, 'raw'];
  return known.find((candidate) => candidate === text) ?? firstView.question.aggregation;
}

function readFilter(text: string): QuestionFilter[] {
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

function readLook(params: URLSearchParams): Look {
  const { look: usual } = firstView;
  const [min = NaN, max = NaN] = (params.get('zoom') ?? '').split('~').map(Number);
  const sort = params.get('sort') ?? '';
  const band = (['off', '90', '95', '99'] as const).find((one) => one === params.get('band'));
  const panel = (['table', 'request', 'sql'] as const).find((one) => one === params.get('panel'));
  return {
    band: band ?? usual.band,
    percentiles: params.getAll('percentile'),
    zoom: min < max ? { min, max } : undefined,
    switchedOff: params.getAll('off'),
    switchedOn: params.getAll('on'),
    panel: panel ?? usual.panel,
    sort:
      sort === ''
        ? undefined
        : { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') },
  };
}
