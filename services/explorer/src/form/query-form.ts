import type { FieldErrors } from '../api/call-api.ts';
import type { Field, Metric } from '../../../../openapi/client/index.ts';
import { fill, h } from '../dom/h.ts';
import type { Question } from '../state/view-state.ts';
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
  readonly question: Question;
  readonly onAsk: (question: Question) => void;
}

export interface QueryForm {
  readonly element: HTMLFormElement;
  readonly showErrors: (errors: FieldErrors) => void;
}

/** The question, field by field. It judges nothing itself: what is wrong, the service says. */
export function queryForm({
  metrics,
  fields,
  valuesOf,
  question,
  onAsk,
}: QueryFormParts): QueryForm {
  let draft = question;
  const take = (changes: Partial<Question>) => {
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
    fields: fieldsOfMetric,
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
      about: 'Leave out impossible or unreliable results',
      path: 'prefilter',
      isOn: draft.prefilter,
      onChange: (prefilter) => take({ prefilter }),
    }),
    switchField({
      label: 'Normalise',
      about: 'Every block of hours counts the same',
      path: 'normalised',
      isOn: draft.normalised,
      onChange: (normalised) => take({ normalised }),
    }),
    switchField({
      label: 'Households count once',
      about: "An agent's results become their mean first",
      path: 'agent_agg',
      isOn: draft.agentAgg,
      onChange: (agentAgg) => take({ agentAgg }),
    }),
  ];
  const others = h('div', { class: 'field-error', role: 'alert' });
  const element = h(
    'form',
    {
      class: 'question-form',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        onAsk(draft);
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
