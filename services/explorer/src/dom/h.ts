export type Child = Node | string | null | undefined | false;

type AttributeValue = string | number | boolean | undefined | ((event: never) => void);

/**
 * An element with attributes, listeners and children:
 * `h('button', { type: 'button', onclick: save }, 'Save')`. False and undefined leave an attribute out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.slice('on'.length), value as EventListener);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...present(children));
  return element;
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
