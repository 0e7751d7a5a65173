import { h } from '../dom/h.ts';
import { viewToFragment } from '../state/url-state.ts';
import type { DataContext } from '../state/data-context.ts';
import { defaultView, type Query } from '../state/view-state.ts';
import { peakHours } from '../state/week-hours.ts';

/** Questions that people have, each a link to the view that answers it. Open on the first screen. */
export function questionList(context: DataContext, isOpen: boolean): HTMLDetailsElement {
  const links = questionsOf(context).map(({ question, query }) =>
    h('li', {}, h('a', { href: hrefOf(query) }, question)),
  );
  return h(
    'details',
    { class: 'questions', open: isOpen },
    h('summary', {}, 'Questions'),
    h('ul', {}, ...links),
  );
}

interface Question {
  readonly question: string;
  readonly query: Partial<Query>;
}

function questionsOf({
  metrics,
  fields,
  numericFields,
  mapField,
}: DataContext): readonly Question[] {
  const speed = metrics.find(({ key }) => key === 'httpget') ?? metrics[0];
  const metric = speed?.key ?? '';
  const has = (id: string) => fields.some((field) => field.id === id);
  const splits = has('isp') ? ['isp'] : [];
  const plan = numericFields.find(({ id }) => /advertised.*down|down.*advertised/i.test(id));
  const report = { statistic: 'mean' };
  return [
    {
      question: 'How fast is each ISP at peak?',
      query: { metric, splits, view: 'ranking', report: { ...report, window: peakHours } },
    },
    ...(plan === undefined
      ? []
      : [
          {
            question: 'Who gets what they pay for?',
            query: {
              metric,
              splits,
              view: 'threshold' as const,
              relativeTo: plan.id,
              threshold: 90,
              report,
            },
          },
        ]),
    {
      question: 'What changed since last month?',
      query: { metric, splits, view: 'change', report },
    },
    { question: 'When is it slowest?', query: { metric, view: 'heatmap' } },
    {
      question: 'Where is it worst?',
      query:
        mapField !== undefined
          ? { metric, view: 'map', report }
          : { metric, view: 'ranking', splits: has('country') ? ['country'] : splits, report },
    },
  ];
}

function hrefOf(query: Partial<Query>): string {
  return `#${viewToFragment({ ...defaultView, query: { ...defaultView.query, ...query } })}`;
}
