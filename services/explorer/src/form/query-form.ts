import type { FieldErrors } from '../api/api-error.ts';
import type { Field, Metric, Split } from '../../../../openapi/client/index.ts';
import { fill, h } from '../dom/h.ts';
import type { Query } from '../state/view-state.ts';
import { aggregationField } from './aggregation-field.ts';
import { placeErrors } from './field-slot.ts';
import { formWords } from './form-words.ts';
import { filtersField } from './filters-field.ts';
import { metricField } from './metric-field.ts';
import { relativeField } from './relative-field.ts';
import { thresholdField } from './threshold-field.ts';
import { viewField } from './view-field.ts';
import { rangeField } from './range-field.ts';
import { splitsField } from './splits-field.ts';
import { switchField } from './switch-field.ts';

interface QueryFormParts {
  readonly metrics: readonly Metric[];
  readonly fields: readonly Field[];
  /** The custom fields with numbers. */
  readonly numericFields: readonly Split[];
  readonly valuesOf: (field: Field, search: string) => Promise<readonly string[]>;
  /** Whether the view `map` is offered. */
  readonly hasMap: boolean;
  readonly query: Query;
  /** After every change, and on Enter. */
  readonly onChange: (query: Query, how: 'change' | 'enter') => void;
}

export interface QueryForm {
  readonly element: HTMLFormElement;
  readonly showErrors: (errors: FieldErrors) => void;
}

/** The form of a query. Validates nothing itself: it shows the error messages of the service. */
export function queryForm({
  metrics,
  fields,
  numericFields,
  valuesOf,
  hasMap,
  query,
  onChange,
}: QueryFormParts): QueryForm {
  let draft = query;
  const take = (changes: Partial<Query>) => {
    draft = { ...draft, ...changes };
    showNeeded();
    onChange(draft, 'change');
  };
  const fieldsOfMetric = () => {
    const own = fields.filter((field) => field.metrics.includes(draft.metric));
    return own.length > 0 ? own : fields;
  };

  const metric = metricField({
    metrics,
    chosen: draft.metric,
    onChange: (key) => take({ metric: key }),
  });
  const aggregation = aggregationField(draft.aggregation, (chosen) =>
    take({ aggregation: chosen }),
  );
  const view = viewField({
    chosen: draft.view,
    hasMap,
    onChange: (chosen) => take({ view: chosen }),
  });
  const threshold = thresholdField(draft.threshold, (chosen) => take({ threshold: chosen }));
  const relative = relativeField(numericFields, draft.relativeTo, (chosen) =>
    take({ relativeTo: chosen }),
  );
  const range = rangeField({ query: draft, onChange: take });
  const splits = splitsField({
    // A set is for filters only: an agent may be in several.
    fields: () => fieldsOfMetric().filter(({ id }) => id !== 'set'),
    chosen: draft.splits,
    onChange: (chosen) => take({ splits: chosen }),
  });
  const filters = filtersField({
    fields: fieldsOfMetric,
    valuesOf,
    chosen: draft.filters,
    onChange: (chosen) => take({ filters: chosen }),
  });
  const switches = [
    switchField({
      label: 'Intervals of households',
      about:
        'Results of one household resemble each other: without this, intervals are far too narrow',
      path: 'householdIntervals',
      isOn: draft.intervals === 'households',
      onChange: (isOn) => take({ intervals: isOn ? 'households' : 'results' }),
    }),
    switchField({
      label: 'Prefilter',
      about: 'Exclude impossible or unreliable results',
      path: 'prefilter',
      isOn: draft.prefilter,
      onChange: (prefilter) => take({ prefilter }),
    }),
    switchField({
      label: 'Normalise',
      about: 'Every block of hours has the same weight',
      path: 'normalised',
      isOn: draft.normalised,
      onChange: (normalised) => take({ normalised }),
    }),
    switchField({
      label: 'Households count once',
      about: 'Use the mean of each agent',
      path: 'agent_agg',
      isOn: draft.agentAgg,
      onChange: (agentAgg) => take({ agentAgg }),
    }),
  ];
  const others = h('div', { class: 'field-error', role: 'alert' });
  const element = h(
    'form',
    {
      class: 'query-form',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        onChange(draft, 'enter');
      },
    },
    metric.element,
    view.element,
    aggregation.element,
    threshold.element,
    range.element,
    splits.element,
    filters.element,
    relative.element,
    h('div', { class: 'switches' }, ...switches.map((one) => one.element)),
    others,
    // Enter in a field submits a form with several fields only if it has a button.
    h('button', { type: 'submit', class: 'visually-hidden', tabindex: -1 }, 'Update'),
  );
  showNeeded();

  /** The fields that only some views have. */
  function showNeeded(): void {
    aggregation.element.hidden = draft.view !== 'trend';
    threshold.element.hidden = draft.view !== 'threshold';
    const metricUnit = metrics.find(({ key }) => key === draft.metric)?.unit ?? '';
    threshold.describe(draft.relativeTo === '' ? metricUnit : '%');
    // A map is split by the field of its regions.
    splits.element.hidden = draft.view === 'map';
  }

  return {
    element,
    showErrors: (errors) => {
      const own = [metric, view, aggregation, threshold, relative, ...switches];
      // Messages about a field that is not shown appear at the end of the form.
      const shownSplits = draft.view === 'map' ? [] : [splits];
      const slots = [...own, ...range.slots, ...shownSplits, ...filters.slots()];
      fill(others, ...placeErrors(slots, formWords(errors)).map((line) => h('p', {}, line)));
      element.querySelector<HTMLElement>('.has-error :is(input, select)')?.focus();
    },
  };
}
