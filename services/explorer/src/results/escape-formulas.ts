/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, because it begins with = + - @, a tab or a
 * carriage return. A formula can send the other cells to a web server.
 */
export function escapedText(text: string): string {
  return isFormula(text.charCodeAt(0)) ? `'${text}` : text;
}

/**
 * The same for the text cells of a CSV file, as a stream. The service quotes all text and no numbers, so -5 stays a
 * number.
 */
export function escapeFormulas(): TransformStream<
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>
> {
  let place: 'cell' | 'text' | 'in text' | 'after' = 'cell';
  return new TransformStream({
    transform(chunk, controller) {
      // At most every second byte begins a text.
      const escaped = new Uint8Array(chunk.length * 2);
      let length = 0;
      for (const byte of chunk) {
        if (place === 'text' && isFormula(byte)) escaped[length++] = codes.apostrophe;
        escaped[length++] = byte;
        place = nextPlace(byte);
      }
      controller.enqueue(escaped.slice(0, length));
    },
  });

  function nextPlace(byte: number): typeof place {
    const isQuote = byte === codes.quote;
    if (place === 'text' || place === 'in text') return isQuote ? 'after' : 'in text';
    // A quote after a quote is one quote of the text.
    if (isQuote) return place === 'cell' ? 'text' : 'in text';
    return byte === codes.comma || byte === codes.newline ? 'cell' : 'after';
  }
}

function isFormula(code: number): boolean {
  return formulaStarts.has(code);
}

const codes = { quote: 34, apostrophe: 39, comma: 44, newline: 10 } as const;

const formulaStarts = new Set(['=', '+', '-', '@', '\t', '\r'].map((start) => start.charCodeAt(0)));
