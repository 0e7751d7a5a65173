export type Child = Node | string | null | undefined | false;

type AttributeValue =
  | string
  | number
  | boolean
  | undefined
  | Readonly<Record<string, string>>
  | ((event: never) => void);
type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * An element with attributes, listeners and children:
 * `h('button', { type: 'button', onclick: save }, 'Save')`. False and undefined leave an attribute out. `style` is an
 * object: the content security policy allows no style in the text of a page.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.slice('on'.length), value as EventListener);
    } else if (typeof value === 'object') {
      for (const [property, text] of Object.entries(value)) {
        element.style.setProperty(property, text);
      }
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...present(children));
  return element;
}

/** A button that submits no form. */
export function button(
  label: Child,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h('button', { type: 'button', onclick, ...attributes }, label);
}

/** A button that is less prominent than others. */
export function quietButton(
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return button(label, onclick, { class: 'quiet', ...attributes });
}

/** A form that is sent by a script. */
export function form(
  className: string,
  onSubmit: () => void,
  ...children: readonly Child[]
): HTMLFormElement {
  const onsubmit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return h('form', { class: className, novalidate: true, onsubmit }, ...children);
}

/** A list of values with their texts, of which one is chosen. */
export function select<T extends string>(
  options: readonly (readonly [value: T, text: string])[],
  chosen: T,
  onChange: (value: T) => void,
  attributes: Attributes = {},
): HTMLSelectElement {
  const element = h(
    'select',
    { onchange: () => onChange(element.value as T), ...attributes },
    ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return element;
}

/** A text field without help of the browser, which would offer ids of other households. */
export function textInput(attributes: Attributes = {}): HTMLInputElement {
  return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes });
}

/** A text that may wrap after separators: `Northwave:Fibre 500`, `wb-0001/lan`. Never within a word that fits. */
export function breakable(text: string): readonly (Node | string)[] {
  return text.split(/(?<=[:/_.·,-])/).flatMap((part, i) => (i === 0 ? [part] : [h('wbr'), part]));
}

/** A message in place of results: loading, no results, an error or denied access. */
export function notice(
  kind: 'loading' | 'empty' | 'error' | 'denied',
  title: string,
  ...children: readonly Child[]
): HTMLElement {
  return h(
    'div',
    {
      class: `notice notice-${kind}`,
      'data-notice': kind,
      role: kind === 'error' ? 'alert' : undefined,
    },
    kind === 'loading' && h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    h('h2', {}, title),
    ...children,
  );
}

/** Replaces the children of an element. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter(
    (child): child is Node | string => child !== null && child !== undefined && child !== false,
  );
}

let lastId = 0;

/** For `aria-describedby` and the like. */
export function freshId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}
