import { announce } from './announce.ts';
import { quietButton } from './h.ts';

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = quietButton(label, () => void copy());
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
    // Browsers allow the clipboard only over https and on localhost.
    return false;
  }
}
