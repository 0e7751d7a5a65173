import type { FieldErrors } from '../api/api-error.ts';
import { fill, form, h, select, textInput } from '../dom/h.ts';
import { unitText } from '../dom/number-text.ts';
import { hasHouseholds } from '../api/request-body.ts';
import { type DataContext, metricOf } from '../state/data-context.ts';
import { type EffectiveReport, effectiveReport } from '../state/report-options.ts';
import { off } from '../state/report-texts.ts';
import { readThresholds } from '../state/thresholds.ts';
import type { Query } from '../state/view-state.ts';
import { fieldSlot, placeErrors, type QueryDraft, switchSlot } from './field-slot.ts';
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
  const between = betweenField(draft);
  const over = overField({ query: draft.query, take: draft.take, label: 'Share over' });
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
  const [ofHouseholds, , normalised, once] = switches;
  const others = h('div', { class: 'field-error', role: 'alert' });
  const element = form(
    'query-form',
    () => onChange(draft.query, 'enter'),
    metric.element,
    view.element,
    aggregation.element,
    threshold.element,
    between.element,
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
    const isOfShares = shown === 'threshold';
    between.element.hidden = over.element.hidden = !isOfShares;
    threshold.element.hidden = !isOfShares || draft.query.between !== '';
    compare.element.hidden = shown !== 'change';
    const metricShown = metricOf(context, draft.query);
    const effective = effectiveReport(draft.query, metricShown);
    threshold.describe(effective.relativeTo === undefined ? (metricShown?.unit ?? '') : '%');
    relative.describe(effective, metricShown?.unit ?? '');
    report.paint();
    // The service refuses what needs the results behind published percentiles.
    for (const { element: field } of [ofHouseholds, normalised, once]) {
      field.hidden = !hasHouseholds(draft.query);
    }
    // A map is split by the field of its regions.
    splits.element.hidden = shown === 'map';
  }

  return {
    element,
    showErrors: (errors: FieldErrors) => {
      const own = [metric, view, aggregation, threshold, between, over, relative, ...switches];
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
  const ids = [
    ...new Set([...numeric.map(({ id }) => id), ...(['', off].includes(chosen) ? [] : [chosen])]),
  ];
  const nameOf = (id: string) => numeric.find((field) => field.id === id)?.name ?? id;
  const fields = ids.map((id) => [id, nameOf(id)] as const);
  const none = h('option', { value: '' });
  const offOfMethod = h('option', { value: off });
  const input = select(fields, chosen, (relativeTo) => take({ relativeTo }));
  input.prepend(none, offOfMethod);
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
    /** With a method that has percentages, its field is the first choice. */
    describe: ({ relativeToOfMethod }: EffectiveReport, unit: string) => {
      const shows = `Off (show ${unit === '' ? 'the values' : unitText(unit)})`;
      const isOfMethod = relativeToOfMethod !== undefined;
      none.textContent = isOfMethod ? `${nameOf(relativeToOfMethod)}, by the method` : shows;
      offOfMethod.textContent = shows;
      offOfMethod.hidden = !isOfMethod && input.value !== off;
      slot.element.hidden = ids.length === 0 && !isOfMethod;
    },
  };
}

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
    hint: 'A household counts if its mean is at least this value or, where lower is better, below it. The section Report has other statistics than the mean.',
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

/** The thresholds of stacked shares. */
function betweenField({ query, take }: QueryDraft) {
  const input = textInput({
    placeholder: '10, 30, 100',
    value: readThresholds(query.between).join(', '),
    onchange: () => {
      const between = readThresholds(input.value);
      input.value = between.join(', ');
      take({ between: between.join(',') });
    },
  });
  return fieldSlot({
    label: 'Stacked shares between',
    input,
    hint: 'Up to six thresholds: one share below the first, one between each two, and one above the last. Empty: the share above one threshold.',
    // The one share is of the field above.
    handles: (path) => query.between !== '' && (path === 'shares' || path.startsWith('shares[')),
  });
}

function switchFields({ query, take }: QueryDraft) {
  type Flag = 'prefilter' | 'normalised' | 'agentAgg';
  const flag = (label: string, about: string, path: string, key: Flag) =>
    switchSlot(label, about, path, query[key], (isOn) => take({ [key]: isOn }));
  return [
    switchSlot(
      'Intervals of households',
      'Turn off only to describe single results: the intervals are far too narrow for statements about households',
      'householdIntervals',
      query.intervals === 'households',
      (isOn) => take({ intervals: isOn ? 'households' : 'results' }),
    ),
    flag('Prefilter', 'Exclude impossible or unreliable results', 'prefilter', 'prefilter'),
    flag(
      'Normalise',
      'Give every block of hours the same weight, if tests are spread unevenly over the day',
      'normalised',
      'normalised',
    ),
    flag('Households count once', 'Give every household the same weight', 'agent_agg', 'agentAgg'),
  ] as const;
}
