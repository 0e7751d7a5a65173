/** Average width of a character, as a part of the font size. */
const characterWidth = 0.56;

export function textWidth(text: string, size = 12): number {
  return text.length * size * characterWidth;
}

/**
 * The lines of a text in a width, broken after spaces and separators, within a word only if it is longer than a line.
 * Nothing is cut: names often differ only at their end.
 */
export function wrapped(text: string, width: number, size = 12): readonly string[] {
  const most = Math.max(8, Math.floor(width / (size * characterWidth)));
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(/(?<=[ :/_.·,-])/).flatMap((one) => pieces(one, most))) {
    if (line !== '' && (line + part).trimEnd().length > most) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += part;
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

function pieces(word: string, most: number): readonly string[] {
  if (word.length <= most) return [word];
  return [word.slice(0, most), ...pieces(word.slice(most), most)];
}
