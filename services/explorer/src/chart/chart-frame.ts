import { announce } from '../dom/announce.ts';
import { h } from '../dom/h.ts';
import type { ChartParts } from './chart-parts.ts';

interface KeyActions {
  readonly count: number;
  /** Moves the cursor to a point and returns its description. */
  readonly moveTo: (index: number) => string;
  readonly leave: () => void;
  readonly zoom: (factor: number | undefined) => void;
}

/** The element around a drawing: a name for screen readers, a size, and keyboard control. */
export function chartFrame(
  { host, valueLabel }: Pick<ChartParts, 'host' | 'valueLabel'>,
  what: string,
) {
  const element = h('div', {
    class: 'chart',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'chart',
    'aria-label': `${what}: ${valueLabel}. Arrow keys read the points, plus and minus zoom, 0 shows all. The table below has every value.`,
  });
  host.append(element);
  return {
    element,
    size: () => ({ width: Math.max(240, element.clientWidth) }),
    keys: ({ count, moveTo, leave, zoom }: KeyActions) => {
      let index = -1;
      const go = (to: number) => {
        index = Math.min(Math.max(to, 0), count - 1);
        if (count > 0) announce(moveTo(index));
      };
      const actions: Readonly<Record<string, () => void>> = {
        ArrowRight: () => go(index + 1),
        ArrowLeft: () => go(index < 0 ? count - 1 : index - 1),
        Home: () => go(0),
        End: () => go(count - 1),
        '+': () => zoom(0.5),
        '=': () => zoom(0.5),
        '-': () => zoom(2),
        '0': () => zoom(undefined),
      };
      element.addEventListener('keydown', (event) => {
        const action = actions[event.key];
        if (action === undefined || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        action();
      });
      element.addEventListener('blur', leave);
    },
  };
}
