import { announce } from './announce.ts';
import { h } from './h.ts';

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'quiet', onclick: () => void copy() }, label);
  return button;

  async function copy(): Promise<void> {
    const isCopied = await toClipboard(text());
    button.textContent = isCopied ? 'Copied' : 'Could not copy';
    announce(button.textContent);
    setTimeout(() => {
      button.textContent = label;
    }, 1600);
  }
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// A page on plain http, such as http://panel.internal/explorer, has no clipboard of its own.
function copyBySelection(text: string): boolean {
  const area = h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
