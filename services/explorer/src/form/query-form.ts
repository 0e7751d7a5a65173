import type { FieldErrors } from '../api/api-error.ts';
import type { Field, Metric } from '../../../../openapi/client/index.ts';
import { fill, h } from '../dom/h.ts';
import type { Query } from '../state/view-state.ts';
import { aggregationField } from './aggregation-field.ts';
import { placeErrors } from './field-slot.ts';
import { filtersField } from './filters-field.ts';
import { metricField } from './metric-field.ts';
import { rangeField } from './range-field.ts';
import { splitsField } from './splits-field.ts';
import { switchField } from './switch-field.ts';

interface QueryFormParts {
  readonly metrics: readonly Metric[];
  readonly fields: readonly Field[];
  readonly valuesOf: (field: Field, search: string) => Promise<readonly string[]>;
  readonly query: Query;
  readonly onSubmit: (query: Query) => void;
}

export interface QueryForm {
  readonly element: HTMLFormElement;
  readonly showErrors: (errors: FieldErrors) => void;
}

/** The form of a query. Validates nothing itself: it shows the error messages of the service. */
export function queryForm({
  metrics,
  fields,
  valuesOf,
  query,
  onSubmit,
}: QueryFormParts): QueryForm {
  let draft = query;
  const take = (changes: Partial<Query>) => {
    draft = { ...draft, ...changes };
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
  const range = rangeField({ range: { from: draft.from, to: draft.to }, onChange: take });
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
        onSubmit(draft);
      },
    },
    metric.element,
    aggregation.element,
    range.element,
    splits.element,
    filters.element,
    h('div', { class: 'switches' }, ...switches.map((one) => one.element)),
    others,
    h('button', { type: 'submit', class: 'primary' }, 'Show'),
  );
  return {
    element,
    showErrors: (errors) => {
      const slots = [metric, aggregation, ...range.slots, splits, ...filters.slots(), ...switches];
      fill(others, ...placeErrors(slots, errors).map((line) => h('p', {}, line)));
      element.querySelector<HTMLElement>('.has-error :is(input, select)')?.focus();
    },
  };
}
