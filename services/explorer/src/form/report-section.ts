import { methods } from '../../../catalog/methods.ts';
import { breakable, fill, h, select, textInput } from '../dom/h.ts';
import { metricOf } from '../state/data-context.ts';
import { effectiveReport, withReportText } from '../state/report-options.ts';
import { off, type ReportKey } from '../state/report-texts.ts';
import { peakHours } from '../state/week-hours.ts';
import { fieldSlot, type FieldSlot, type QueryDraft } from './field-slot.ts';
import { percentileRuleNames, statisticNames, switcherNames } from './report-words.ts';
import { weekGrid } from './week-grid.ts';

/** A control of one option, which shows the value of the method unless the query has its own. */
interface Control {
  readonly slot: FieldSlot;
  /** Empty: none. */
  readonly paint: (text: string) => void;
  readonly key: ReportKey;
  readonly ofMethod: HTMLElement;
  readonly isNeeded: () => boolean;
}

interface ControlParts {
  readonly label: string;
  /** When to use it. */
  readonly hint?: string;
  /** Of the service's messages, besides those of its parts. */
  readonly paths: readonly string[];
  /** What a list without a choice says. */
  readonly none?: string;
  /** Whether it is shown. */
  readonly isNeeded?: () => boolean;
}

/** The options of figures that regulators publish: grouped, and collapsed until they are needed. */
export function reportSection(draft: QueryDraft) {
  const report = () => effectiveReport(draft.query, metricOf(draft.context, draft.query));
  const numeric = draft.context.numericFields.map(({ id, name }) => [id, name] as const);

  const controls: Readonly<Record<string, readonly Control[]>> = {
    'A regulator’s method': [
      choice(
        'method',
        methods.map(({ key, name }) => [key, name] as const),
        {
          label: 'Method',
          hint: 'To compare with a published report. It sets the fields below, which you can change.',
          paths: ['method'],
        },
      ),
    ],
    'One value per household': [
      choice('statistic', statisticNames, {
        label: 'Household statistic',
        none: 'Results, not households',
        hint: 'For statements about households: busy testers then count as much as others.',
        paths: ['household', 'household[statistic]'],
      }),
      pair('trim', ['Leave out below percentile', 'Leave out above percentile'], {
        label: 'Trim',
        hint: 'Leaves out outliers of each household, for example results below 1 and above 99.',
        paths: ['household[trim]'],
      }),
      choice('trim_over', [['range', 'The whole range']], {
        label: 'Trim by percentiles of',
        none: 'The chosen hours',
        isNeeded: () => (report().of('trim') ?? '') !== '',
        paths: ['household[trimOver]'],
      }),
      numberInput('min_results', {
        label: 'Results per household, at least',
        hint: 'Leaves out households with fewer results.',
        paths: ['household[minResults]'],
      }),
      numberInput('min_days', {
        label: 'Days with results per household, at least',
        paths: ['household[minDays]'],
      }),
      choice('weight', numeric, {
        label: 'Weight',
        none: 'All households are equal',
        isNeeded: () => numeric.length > 0 || report().of('weight') !== undefined,
        hint: 'If the panel is not a fair sample and has a field with weights. Choose a household statistic too.',
        paths: ['weight'],
      }),
      choice('switchers', switcherNames, {
        label: 'Households that changed plan',
        none: 'Each result counts for the plan it had',
        hint: 'If one value must not mix results from before and after the change.',
        paths: ['switchers'],
      }),
      choice('percentile_rule', percentileRuleNames, {
        label: 'Percentiles are',
        none: 'Between two households (linear)',
        hint: 'Only to reproduce figures of a statistical office.',
        paths: ['percentileRule'],
      }),
      pair('consistent', ['Percentile of households', 'Percentile of their results'], {
        label: 'Consistent value',
        hint: 'For what most households get most of the time. 20 and 20 are the FCC’s 80/80 of speeds.',
        paths: ['consistent'],
      }),
    ],
    When: [
      week({
        label: 'Hours of the week',
        hint: 'For peak hours, office hours or weekends only. In local time.',
        paths: ['window'],
      }),
      text('known_at', '2026-01-31 13:00', {
        label: 'Metadata as recorded at (UTC)',
        hint: 'To reproduce an earlier figure: plans as they were known then.',
        paths: ['knownAt'],
      }),
    ],
    Points: [
      text('shares', '25, 50, 100', {
        label: 'Shares at thresholds',
        hint: 'Adds the share at or above each value to the table.',
        paths: ['shares'],
      }),
      numberInput('min_agents', {
        label: 'Households per point, at least',
        hint: 'Before you publish: points of fewer households are hidden.',
        paths: ['minAgents'],
      }),
      coverage({
        label: 'Coverage',
        hint: 'Adds to the table how many results and households were expected, and how many reported.',
        paths: ['coverage'],
      }),
    ],
  };
  const all = Object.values(controls).flat();
  const summary = h('summary', {}, 'Report');
  const methodNote = h('p', { class: 'hint' });
  const element = h(
    'details',
    { class: 'report' },
    summary,
    ...Object.entries(controls).map(([legend, own], i) =>
      h(
        'fieldset',
        {},
        h('legend', {}, legend),
        ...own.map(({ slot }) => slot.element),
        i === 0 && methodNote,
      ),
    ),
  );
  paint();
  return { element, slots: all.map(({ slot }) => slot), paint };

  /** Shows the current values, which also depend on the metric and the splits. */
  function paint(): void {
    const { of, ofMethod } = report();
    const set = Object.keys(draft.query.report).length;
    summary.textContent = set === 0 ? 'Report' : `Report (${set} set)`;
    for (const control of all) {
      const isPeak = control.key === 'window' && draft.query.view === 'peak';
      control.paint(of(control.key) ?? (isPeak ? peakHours : ''));
      control.slot.element.hidden = !control.isNeeded();
      const own = draft.query.report[control.key];
      const isOfMethod = ofMethod[control.key] !== undefined;
      fill(
        control.ofMethod,
        isOfMethod && (own === undefined ? 'Set by the method.' : 'Overrides the method.'),
      );
    }
    const chosen = methods.find(({ key }) => key === draft.query.report.method);
    fill(methodNote, ...(chosen === undefined ? [] : breakable(plainText(chosen.description))));
  }

  function change(key: ReportKey, value: string): void {
    const { method: before } = draft.query.report;
    const next = withReportText(draft.query.report, key, value, report().ofMethod[key]);
    // What was off was so of the method before.
    const kept =
      key === 'method' && before !== value
        ? Object.fromEntries(Object.entries(next).filter(([, one]) => one !== off))
        : next;
    draft.take({ report: kept });
  }

  function choice(
    key: ReportKey,
    options: readonly (readonly [string, string])[],
    parts: ControlParts,
  ): Control {
    const input = select([['', parts.none ?? 'None'], ...options], '', (value) =>
      change(key, value),
    );
    return control(key, parts, input, undefined, (value) => {
      const isKnown = [...input.options].some((option) => option.value === value);
      if (!isKnown) input.append(h('option', { value }, value));
      input.value = value;
    });
  }

  function numberInput(key: ReportKey, parts: ControlParts): Control {
    const input = h('input', {
      type: 'number',
      min: 0,
      onchange: () => {
        if (input.validity.valid) change(key, input.value);
      },
    });
    return control(key, parts, input, undefined, (value) => {
      if (document.activeElement !== input) input.value = value;
    });
  }

  function text(key: ReportKey, placeholder: string, parts: ControlParts): Control {
    const input = textInput({
      placeholder,
      onchange: () => change(key, input.value.trim().replace(/, */g, ',').replace(/,$/, '')),
    });
    return control(key, parts, input, undefined, (value) => {
      input.value = value.replaceAll(',', ', ');
    });
  }

  /** Two numbers, of which one may be empty. */
  function pair(key: ReportKey, names: readonly [string, string], parts: ControlParts): Control {
    const inputs = names.map((name) =>
      h('input', {
        type: 'number',
        min: 0,
        max: 100,
        step: 'any',
        'aria-label': name,
        onchange: () => {
          const [low = '', high = ''] = inputs.map(({ value }) => value);
          change(key, low === '' && high === '' ? '' : `${low}~${high}`);
        },
      }),
    );
    const group = h('div', { class: 'pair' }, inputs[0], h('span', {}, 'and'), inputs[1]);
    return control(key, parts, undefined, group, (value) => {
      const ends = value.split('~');
      for (const [i, input] of inputs.entries()) input.value = ends[i] ?? '';
    });
  }

  function week(parts: ControlParts): Control {
    const grid = weekGrid(parts.label, (value) => change('window', value));
    return control('window', parts, undefined, grid.element, grid.show);
  }

  /** By the schedule of the test, or with a number of results per hour. */
  function coverage(parts: ControlParts): Control {
    const perHour = h('input', {
      type: 'number',
      min: 0,
      step: 'any',
      placeholder: 'schedule of the test',
      'aria-label': 'Results per hour of one household',
      onchange: () => change('coverage', perHour.value === '' ? 'schedule' : perHour.value),
    });
    const input = h('input', {
      type: 'checkbox',
      onchange: () => change('coverage', input.checked ? 'schedule' : ''),
    });
    const group = h('div', { class: 'coverage' }, input, perHour);
    return control('coverage', parts, input, group, (value) => {
      input.checked = value !== '';
      perHour.hidden = value === '';
      perHour.value = value === 'schedule' ? '' : value;
    });
  }

  function control(
    key: ReportKey,
    { label, hint, paths, isNeeded = () => true }: ControlParts,
    input: HTMLElement | undefined,
    group: HTMLElement | undefined,
    paintControl: (text: string) => void,
  ): Control {
    const ofMethod = h('p', { class: 'of-method' });
    const slot = fieldSlot({
      label,
      ...(input === undefined ? {} : { input }),
      control: h('div', {}, group ?? input, ofMethod),
      ...(hint === undefined ? {} : { hint }),
      handles: (path) =>
        paths.some((own) => path === own || (own !== 'household' && path.startsWith(`${own}[`))),
    });
    return { key, slot, ofMethod, isNeeded, paint: paintControl };
  }
}

/** Descriptions of the catalogue are Markdown. */
function plainText(text: string): string {
  return text.replaceAll('`', '');
}
