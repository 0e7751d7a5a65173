import { colourOf } from '../drawing/theme.ts';
import { breakable, fill, h, quietButton, select } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import {
  firstShown,
  isShown,
  otherKey,
  type Series,
  shownAtFirst,
  switched,
} from '../series/series.ts';
import { defaultDisplay, type DisplayOptions } from '../state/view-state.ts';

interface LegendParts {
  readonly series: readonly Series[];
  readonly onSwitch: (changes: Partial<DisplayOptions>) => void;
  /** Whether all other series can be shown as one. */
  readonly canHaveOthers: boolean;
}

/** A longer list is unreadable; the search box narrows it. */
const maxListed = 60;

/** Shows and hides series. Of many series it lists the largest, and a search box finds the others. */
export function legend({ series: uncoloured, onSwitch, canHaveOthers }: LegendParts) {
  let series = uncoloured;
  const all = series.filter(({ key }) => key !== otherKey).length;
  const isLong = all > shownAtFirst;
  const list = h('ul', { class: 'legend-list' });
  const note = h('p', { class: 'hint', 'aria-live': 'polite' });
  const find = h('input', {
    type: 'search',
    placeholder: 'Find a series',
    'aria-label': 'Find a series',
    oninput: () => paint(),
  });
  let current: DisplayOptions | undefined;

  const setAll = (isOn: boolean) => () => {
    if (current !== undefined) onSwitch(switched(matching(), isOn, current));
  };
  const order = select<RankChoice>(
    rankChoices,
    'results',
    (chosen) => onSwitch({ rank: rankOf(chosen), switchedOn: [], switchedOff: [] }),
    { 'aria-label': 'Series to show' },
  );
  const others = h('input', {
    type: 'checkbox',
    onchange: () => onSwitch({ hasOthers: others.checked }),
  });
  const element = h(
    'div',
    { class: 'legend', role: 'group', 'aria-label': 'Series' },
    isLong && h('div', { class: 'legend-find' }, order, find, note),
    list,
    canHaveOthers && h('label', { class: 'inline' }, others, 'All others as one series'),
    series.length > 2 &&
      h(
        'div',
        { class: 'legend-all' },
        quietButton('Hide all', setAll(false)),
        quietButton(isLong ? 'Show matches' : 'Show all', setAll(true)),
      ),
  );
  element.hidden = series.length < 2;

  function matching(): readonly Series[] {
    const words = find.value.toLowerCase().split(/\s+/);
    const found = series.filter(({ label }) =>
      words.every((word) => label.toLowerCase().includes(word)),
    );
    return found.slice(0, maxListed);
  }

  function paint(): void {
    const listed =
      find.value.trim() === ''
        ? matching().slice(0, isLong ? firstShown(current ?? defaultDisplay) + 1 : maxListed)
        : matching();
    const extra = series.filter(
      (one) => current !== undefined && isShown(one, current) && !listed.includes(one),
    );
    fill(list, ...[...listed, ...(find.value.trim() === '' ? extra : [])].map(itemOf));
    note.textContent =
      find.value.trim() === ''
        ? `Of ${count(all)} series. Type to find the others.`
        : `${count(listed.length)} found${listed.length === maxListed ? ' or more' : ''}`;
  }

  function itemOf(one: Series): HTMLElement {
    const isOn = current !== undefined && isShown(one, current);
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'legend-item',
          'aria-pressed': String(isOn),
          'data-key': one.key,
          onclick: () => {
            if (current === undefined) return;
            onSwitch(switched([one], !isOn, current));
            list.querySelector<HTMLElement>(`[data-key="${CSS.escape(one.key)}"]`)?.focus();
          },
        },
        h('span', {
          class: 'swatch',
          'data-line': Math.floor(one.colourSlot / 8) % 3,
          style: { '--swatch': colourOf(one.colourSlot) },
        }),
        h('span', { class: 'legend-name' }, ...breakable(one.label)),
        h(
          'span',
          { class: 'legend-size' },
          count(one.size),
          h('span', { class: 'visually-hidden' }, ' results'),
        ),
      ),
    );
  }

  return {
    element,
    show: (display: DisplayOptions, coloured: readonly Series[]) => {
      current = display;
      order.value = rankChoiceOf(display);
      others.checked = display.hasOthers;
      series = coloured;
      paint();
    },
  };
}

const rankChoices = [
  ['results', '20 with the most results'],
  ['top~5', '5 highest'],
  ['top~10', '10 highest'],
  ['top~20', '20 highest'],
  ['bottom~5', '5 lowest'],
  ['bottom~10', '10 lowest'],
  ['bottom~20', '20 lowest'],
] as const;
type RankChoice = (typeof rankChoices)[number][0];

function rankOf(choice: RankChoice): DisplayOptions['rank'] {
  const [end, most] = choice.split('~');
  return end === 'top' || end === 'bottom' ? { end, count: Number(most) } : undefined;
}

/** A link may have another number. */
function rankChoiceOf({ rank }: DisplayOptions): RankChoice {
  const text = rank === undefined ? 'results' : `${rank.end}~${rank.count}`;
  return rankChoices.find(([value]) => value === text)?.[0] ?? 'results';
}
