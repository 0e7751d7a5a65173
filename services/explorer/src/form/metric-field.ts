import type { Metric } from '../../../../openapi/client/index.ts';
import { rankMatches } from '../dom/rank-matches.ts';
import { type Choice, combobox } from '../dom/combobox.ts';
import { h } from '../dom/h.ts';
import { unitText } from '../dom/number-text.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

interface MetricFieldParts {
  readonly metrics: readonly Metric[];
  readonly chosen: string;
  readonly onChange: (key: string) => void;
}

/** Search by name, key, description, keyword or unit. */
export function metricField({ metrics, chosen, onChange }: MetricFieldParts): FieldSlot {
  const box = combobox({
    label: 'Metric',
    placeholder: 'Search metrics',
    find: (text) => rankMatches(metrics.map(searchedAs), text).map(choiceOf),
    onChoose: ({ value }) => choose(value),
    // An unknown metric is sent as typed: the error message of the service suggests similar ones.
    onFreeText: choose,
  });
  const about = h('p', { class: 'hint' });

  function choose(key: string): void {
    box.input.value = key;
    describe(key);
    onChange(key);
  }

  function describe(key: string): void {
    const metric = metrics.find((one) => one.key === key);
    about.textContent =
      metric === undefined ? '' : `${metric.description} In ${unitText(metric.unit)}.`;
  }

  box.input.value = chosen;
  box.input.addEventListener('change', () => {
    if (box.input.value.trim() !== '') choose(box.input.value.trim());
  });
  describe(chosen);
  return fieldSlot({
    label: 'Metric',
    input: box.input,
    control: h('div', {}, box.element, about),
    handles: (path) => path === 'metric',
  });
}

function searchedAs(metric: Metric) {
  const { key, name, unit, description, keywords, aliases } = metric;
  return {
    item: metric,
    name: key,
    about: [name, unit, unitText(unit), description, ...keywords, ...aliases].join(' '),
  };
}

function choiceOf({ key, name, unit }: Metric): Choice {
  return { value: key, label: key, note: unitText(unit), about: name };
}
