import type { Point } from '../../../../openapi/client/index.ts';
import { copyButton } from '../dom/copy-button.ts';
import { button, fill, h, quietButton } from '../dom/h.ts';
import { count, shortNumber } from '../dom/number-text.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import { escapedText } from './escape-formulas.ts';
import type { QueryResponse } from './query-response.ts';
import { type Cell, type Column, tableColumns } from './table-columns.ts';

type Sort = DisplayOptions['sort'];

const rowsPerPage = 50;

/** One row per point, in pages, sortable by any column. The copy has all rows. */
export function dataTable(
  response: QueryResponse,
  sort: Sort,
  onSort: (sort: Sort) => void,
): HTMLElement {
  const columns = tableColumns(response);
  const all = response.series.flatMap(({ points }) => points);
  let order = sort;
  let page = 0;
  let rows = sorted(all, columns, order);
  const head = h('tr', {});
  const body = h('tbody', {});
  const pager = h('div', { class: 'pager' });
  const element = h(
    'div',
    { class: 'data-table' },
    h('div', { class: 'panel-tools' }, copyButton('Copy table', tabSeparated), pager),
    h(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of results' },
      h('table', {}, h('thead', {}, head), body),
    ),
  );
  paint();
  return element;

  function paint(): void {
    fill(head, ...columns.map(headerOf));
    const from = page * rowsPerPage;
    fill(body, ...rows.slice(from, from + rowsPerPage).map(rowOf));
    const last = Math.min(from + rowsPerPage, rows.length);
    fill(
      pager,
      h(
        'span',
        { 'aria-live': 'polite' },
        `${count(from + 1)}–${count(last)} of ${count(rows.length)}`,
      ),
      turn('Previous', -1, page === 0),
      turn('Next', 1, last === rows.length),
    );
  }

  function headerOf(column: Column): HTMLElement {
    const isSorted = order?.column === column.name;
    const direction = isSorted
      ? order?.isDescending === true
        ? 'descending'
        : 'ascending'
      : 'none';
    return h(
      'th',
      { scope: 'col', 'aria-sort': direction, class: column.isNumber ? 'number' : undefined },
      button(column.title, () => sortBy(column)),
    );
  }

  function sortBy({ name }: Column): void {
    order = { column: name, isDescending: order?.column === name && !order.isDescending };
    rows = sorted(all, columns, order);
    page = 0;
    onSort(order);
    paint();
    const index = columns.findIndex((column) => column.name === name);
    head.querySelectorAll('button')[index]?.focus();
  }

  function rowOf(point: Point): HTMLElement {
    return h('tr', {}, ...columns.map((column) => cellOf(column, column.of(point))));
  }

  function turn(label: string, step: number, isEnd: boolean): HTMLButtonElement {
    const onclick = () => {
      page += step;
      paint();
    };
    return quietButton(label, onclick, { disabled: isEnd });
  }

  /** Full precision, for spreadsheets. A tab in a text would begin another cell. */
  function tabSeparated(): string {
    const textOf = (cell: Cell) =>
      typeof cell === 'string' ? escapedText(cell.replace(/[\t\r\n]+/g, ' ')) : String(cell ?? '');
    const lines = rows.map((point) => columns.map(({ of }) => textOf(of(point))));
    return [columns.map(({ name }) => name), ...lines].map((line) => line.join('\t')).join('\n');
  }
}

function cellOf({ isNumber }: Column, value: Cell): HTMLElement {
  const shown = value === null ? '' : typeof value === 'number' ? shortNumber(value) : value;
  const attributes = { class: isNumber ? 'number' : undefined, 'data-value': String(value ?? '') };
  return h('td', attributes, shown);
}

function sorted(all: readonly Point[], columns: readonly Column[], order: Sort): readonly Point[] {
  const column = columns.find(({ name }) => name === order?.column);
  if (column === undefined) return all;
  const sign = order?.isDescending === true ? -1 : 1;
  return [...all].sort((a, b) => sign * compare(column.of(a), column.of(b)));
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a ?? '').localeCompare(String(b ?? ''));
}
