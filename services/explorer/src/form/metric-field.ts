import type { Metric } from '../../../../openapi/client/index.ts';
import { type Choice, combobox } from '../dom/combobox.ts';
import { rankMatches } from '../dom/rank-matches.ts';
import { h } from '../dom/h.ts';
import { unitText } from '../dom/number-text.ts';
import { fieldSlot, type FieldSlot, type QueryDraft } from './field-slot.ts';

/** Search by name, key, description, keyword or unit. Shows the name. */
export function metricField(draft: QueryDraft): FieldSlot {
  const { metrics } = draft.context;
  const box = combobox({
    label: 'Metric',
    placeholder: 'Search metrics',
    find: (text) => rankMatches(metrics.map(searchedAs), text).map(choiceOf),
    onChoose: ({ value }) => choose(value),
    // An unknown metric is sent as typed: the error message of the service suggests similar ones.
    onFreeText: choose,
  });
  const about = h('p', { class: 'hint' });

  function choose(text: string): void {
    const metric = metrics.find(({ key, name }) => key === text || name === text);
    draft.take({ metric: metric?.key ?? text });
    paint();
  }

  function paint(): void {
    const chosen = draft.query.metric;
    const metric = metrics.find(({ key }) => key === chosen);
    box.input.value = metric?.name ?? chosen;
    about.textContent =
      metric === undefined
        ? ''
        : `${metric.description} In ${unitText(metric.unit)}. Key: ${metric.key}`;
  }

  box.input.addEventListener('change', () => {
    if (box.input.value.trim() !== '') choose(box.input.value.trim());
  });
  paint();
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
    name,
    about: [key, unit, unitText(unit), description, ...keywords, ...aliases].join(' '),
  };
}

function choiceOf({ key, name, unit, description }: Metric): Choice {
  return { value: key, label: name, note: unitText(unit), about: `${description} (${key})` };
}
