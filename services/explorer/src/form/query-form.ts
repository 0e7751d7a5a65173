import type { FieldErrors } from '../api/api-error.ts';
import { fill, form, h, select } from '../dom/h.ts';
import { unitText } from '../dom/number-text.ts';
import { type DataContext, metricOf } from '../state/data-context.ts';
import { type EffectiveReport, effectiveReport } from '../state/report-options.ts';
import { off } from '../state/report-texts.ts';
import type { Query } from '../state/view-state.ts';
import {
  fieldSlot,
  type FieldSlot,
  placeErrors,
  type QueryDraft,
  switchSlot,
} from './field-slot.ts';
import { compareFields } from './compare-fields.ts';
import { filtersField } from './filters-field.ts';
import { formWords } from './form-words.ts';
import { metricField } from './metric-field.ts';
import { rangeField } from './range-field.ts';
import { reportSection } from './report-section.ts';
import { splitsField } from './splits-field.ts';
import { aggregationField, overField, viewField } from './view-fields.ts';

export type QueryForm = ReturnType<typeof queryForm>;

/**
 * The form of a query. Validates nothing itself: it shows the error messages of the service. `onChange` is called
 * after every change, and on Enter.
 */
export function queryForm(
  context: DataContext,
  query: Query,
  onChange: (query: Query, how: 'change' | 'enter') => void,
) {
  const draft: QueryDraft = {
    context,
    query,
    take: (changes) => {
      draft.query = { ...draft.query, ...changes };
      showNeeded();
      onChange(draft.query, 'change');
    },
    fields: () => {
      const own = context.fields.filter((field) => field.metrics.includes(draft.query.metric));
      return own.length > 0 ? own : context.fields;
    },
  };
  const metric = metricField(draft);
  const aggregation = aggregationField(draft);
  const view = viewField(draft);
  const threshold = thresholdField(draft);
  const over = overField(draft);
  const compare = compareFields(draft);
  const relative = relativeField(draft);
  const range = rangeField(draft);
  const splits = splitsField(draft);
  const filters = filtersField(draft, {
    label: 'Filter by',
    path: 'filters',
    filters: () => draft.query.filters,
    take: (all) => draft.take({ filters: all }),
  });
  const report = reportSection(draft);
  const switches = switchFields(draft);
  const others = h('div', { class: 'field-error', role: 'alert' });
  const element = form(
    'query-form',
    () => onChange(draft.query, 'enter'),
    metric.element,
    view.element,
    aggregation.element,
    threshold.element,
    over.element,
    range.element,
    compare.element,
    splits.element,
    filters.element,
    relative.element,
    h('div', { class: 'switches' }, ...switches.map((one) => one.element)),
    report.element,
    others,
    // Enter in a field submits a form with several fields only if it has a button.
    h('button', { type: 'submit', class: 'visually-hidden', tabindex: -1 }, 'Update'),
  );
  showNeeded();

  /** The fields that only some views have. */
  function showNeeded(): void {
    const { view: shown } = draft.query;
    aggregation.element.hidden = shown !== 'trend';
    threshold.element.hidden = over.element.hidden = shown !== 'threshold';
    compare.element.hidden = shown !== 'change';
    const metricShown = metricOf(context, draft.query);
    const effective = effectiveReport(draft.query, metricShown);
    threshold.describe(effective.relativeTo === undefined ? (metricShown?.unit ?? '') : '%');
    relative.showMethod(effective);
    report.paint();
    // A map is split by the field of its regions.
    splits.element.hidden = shown === 'map';
  }

  return {
    element,
    showErrors: (errors: FieldErrors) => {
      const own = [metric, view, aggregation, threshold, over, relative, ...switches];
      // Messages about a field that is not shown appear at the end of the form.
      const shownSplits = draft.query.view === 'map' ? [] : [splits];
      const shownCompare = draft.query.view === 'change' ? compare.slots() : [];
      const slots = [
        ...own,
        ...range.slots,
        ...shownSplits,
        ...filters.slots(),
        ...shownCompare,
        ...report.slots,
      ];
      fill(others, ...placeErrors(slots, formWords(errors)).map((line) => h('p', {}, line)));
      if (report.element.querySelector('.has-error') !== null) report.element.open = true;
      element.querySelector<HTMLElement>('.has-error :is(input, select)')?.focus();
    },
  };
}

/** A custom field with numbers, such as the advertised speed: values are in percent of it. */
function relativeField({ context, query, take }: QueryDraft) {
  const { numericFields: numeric } = context;
  const { relativeTo: chosen } = query;
  const ids = [...new Set([...numeric.map(({ id }) => id), ...(chosen === '' ? [] : [chosen])])];
  const nameOf = (id: string) =>
    id === off ? showsValues : (numeric.find((field) => field.id === id)?.name ?? id);
  const fields = ids.map((id) => [id, nameOf(id)] as const);
  const none = h('option', { value: '' }, showsValues);
  const input = select(fields, chosen, (relativeTo) => take({ relativeTo }));
  input.prepend(none);
  input.value = chosen;
  const slot = fieldSlot({
    label: 'Percent of',
    input,
    hint: 'For example, to compare speeds with the advertised speed of the package.',
    handles: (path) => path === 'relativeTo' || path.startsWith('relativeTo['),
  });
  slot.element.hidden = ids.length === 0;
  return {
    ...slot,
    /** With a method that has percentages there are two more choices: its field, and none. */
    showMethod: ({ relativeToOfMethod }: EffectiveReport) => {
      const own = input.querySelector(`option[value=${off}]`);
      const isOfMethod = relativeToOfMethod !== undefined;
      none.textContent = isOfMethod ? `${nameOf(relativeToOfMethod)}, by the method` : showsValues;
      if (isOfMethod && own === null) none.after(h('option', { value: off }, showsValues));
      else if (!isOfMethod && input.value !== off) own?.remove();
      slot.element.hidden = ids.length === 0 && !isOfMethod;
    },
  };
}

const showsValues = 'Off (show the values)';

/** The threshold of the view "Households that meet a threshold", in the unit of the values. */
function thresholdField({ query, take }: QueryDraft) {
  const input = h('input', {
    type: 'number',
    step: 'any',
    value: query.threshold,
    onchange: () => {
      if (input.value !== '') take({ threshold: Number(input.value) });
    },
  });
  const slot = fieldSlot({
    label: 'Threshold',
    input,
    hint: 'Counts households whose mean is at least this; for delays and other metrics where lower is better, below this. The section Report has other statistics.',
    handles: (path) => path === 'shares' || path.startsWith('shares['),
  });
  const label = slot.element.querySelector('label');
  return {
    ...slot,
    /** The unit changes with the metric and with "Percent of". */
    describe: (unit: string) => {
      label?.replaceChildren(unit === '' ? 'Threshold' : `Threshold, ${unitText(unit)}`);
    },
  };
}

function switchFields({ query, take }: QueryDraft): readonly FieldSlot[] {
  type Flag = 'prefilter' | 'normalised' | 'agentAgg';
  const flag = (label: string, about: string, path: string, key: Flag) =>
    switchSlot(label, about, path, query[key], (isOn) => take({ [key]: isOn }));
  return [
    switchSlot(
      'Intervals of households',
      'Turn off only to describe single results: intervals become far too narrow for households',
      'householdIntervals',
      query.intervals === 'households',
      (isOn) => take({ intervals: isOn ? 'households' : 'results' }),
    ),
    flag('Prefilter', 'Exclude impossible or unreliable results', 'prefilter', 'prefilter'),
    flag(
      'Normalise',
      'If tests are spread unevenly over the day: gives every block of hours the same weight',
      'normalised',
      'normalised',
    ),
    flag('Households count once', 'Give every household the same weight', 'agent_agg', 'agentAgg'),
  ];
}
