import { failureOf } from '../api/api-error.ts';
import type { ListedView } from '../../../../openapi/client/index.ts';
import { announce } from '../dom/announce.ts';
import { copyButton } from '../dom/copy-button.ts';
import { locale } from '../dom/locale.ts';
import { fill, form, h, quietButton } from '../dom/h.ts';
import { fieldSlot, type FieldSlot, placeErrors } from '../form/field-slot.ts';
import { viewToFragment } from '../state/url-state.ts';
import { defaultView } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { viewHref, viewLink } from './linked-view.ts';
import type { DataApi } from '../api/data-api.ts';

interface ViewsMenuParts {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly onDenied: () => void;
}

/** Saves the current view under a name, and lists the saved views. The list loads when the menu opens. */
export function viewsMenu({ api, store, onDenied }: ViewsMenuParts): HTMLElement {
  const name = h('input', { type: 'text', autocomplete: 'off', maxlength: 100 });
  const slot = fieldSlot({
    label: 'Name of this view',
    input: name,
    handles: (path) => path === 'name' || path === 'state',
  });
  const save = h('button', { type: 'submit' }, 'Save view');
  const list = h('ul', { class: 'view-list' });
  const message = h('p', { class: 'field-error', role: 'alert' });
  const element = h(
    'details',
    {
      class: 'views',
      ontoggle: () => {
        if (element.open) void attempt(paint);
      },
    },
    h('summary', {}, 'Saved views'),
    form('save-view', () => void saveView(), slot.element, save),
    message,
    list,
    h('p', { class: 'hint' }, 'Everyone with a data token of your organisation sees them.'),
  );
  return element;

  async function saveView(): Promise<void> {
    // Not the agent that the other tab shows: it is not part of this view.
    const { query, display } = store.view();
    const state = viewToFragment({ ...defaultView, query, display });
    save.disabled = true;
    await attempt(async () => {
      const saved = await api.saveView(name.value, state);
      name.value = '';
      announce(`Saved ${saved.name}`);
      await paint();
    });
    save.disabled = false;
  }

  async function paint(): Promise<void> {
    const views = await api.views();
    fill(list, ...views.map(itemOf));
    if (views.length === 0) fill(list, h('li', { class: 'muted' }, 'No view is saved yet.'));
  }

  function itemOf({ id, name: title, createdAt }: ListedView): HTMLElement {
    const saved = new Date(createdAt).toLocaleDateString(locale, { dateStyle: 'medium' });
    const rename = quietButton('Rename', edit, { 'aria-label': `Rename ${title}` });
    const item = h('li', {});
    show();
    return item;

    function show(): void {
      fill(
        item,
        h('a', { href: viewHref(id), title: `Saved ${saved}` }, title),
        h(
          'span',
          { class: 'view-tools' },
          copyButton('Copy link', () => viewLink(id)),
          rename,
          remove(),
        ),
      );
    }

    function edit(): void {
      const renaming = renameForm({
        title,
        onSave: (wanted, field) => void attempt(() => renameView(id, wanted), field),
        onCancel: () => {
          show();
          rename.focus();
        },
      });
      fill(item, renaming);
      renaming.querySelector('input')?.select();
    }

    /** The second click deletes: there is no undo. */
    function remove(): HTMLElement {
      let isAsked = false;
      const ask = () => {
        if (isAsked) void attempt(() => removeView(id, title));
        show(true);
      };
      const button = quietButton('Delete', ask, { onblur: () => show(false) });
      show(false);
      return button;

      function show(asks: boolean): void {
        isAsked = asks;
        button.textContent = asks ? 'Really delete?' : 'Delete';
        button.setAttribute('aria-label', asks ? `Really delete ${title}?` : `Delete ${title}`);
      }
    }
  }

  async function renameView(id: string, wanted: string): Promise<void> {
    const renamed = await api.renameView(id, wanted);
    announce(`Renamed to ${renamed.name}`);
    await paint();
    list.querySelector<HTMLElement>(`a[href="${viewHref(id)}"]`)?.focus();
  }

  async function removeView(id: string, title: string): Promise<void> {
    await api.removeView(id);
    announce(`Deleted ${title}`);
    await paint();
  }

  /** Shows errors next to their field. */
  async function attempt(work: () => Promise<void>, field: FieldSlot = slot): Promise<void> {
    fill(message);
    placeErrors([field], {});
    try {
      await work();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.isDenied) {
        onDenied();
        return;
      }
      placeErrors([field], failure.errors);
      if (failure.status !== 422) fill(message, failure.message);
    }
  }
}

interface RenameParts {
  /** The current name. */
  readonly title: string;
  readonly onSave: (name: string, slot: FieldSlot) => void;
  readonly onCancel: () => void;
}

/** Replaces a saved view in the list by a field to rename it. Escape cancels. */
function renameForm({ title, onSave, onCancel }: RenameParts): HTMLElement {
  const input = h('input', { type: 'text', autocomplete: 'off', maxlength: 100, value: title });
  const slot = fieldSlot({
    label: `New name of ${title}`,
    input,
    handles: (path) => path === 'name',
  });
  const element = form(
    'rename-view',
    () => onSave(input.value, slot),
    slot.element,
    h('button', { type: 'submit' }, 'Rename'),
    quietButton('Cancel', onCancel),
  );
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onCancel();
  });
  return element;
}
