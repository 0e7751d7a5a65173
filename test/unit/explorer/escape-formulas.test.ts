import { expect } from 'chai';
import {
  escapedText,
  escapeFormulas,
} from '../../../services/explorer/src/results/escape-formulas.ts';

const file = [
  '"isp","metricValue","package"',
  '"=HYPERLINK(""http://evil.example"")",-5.5,"plain"',
  '"+1",1,"-1"',
  '"@SUM(A1)",\\N,"\t=1"',
  '"\r=1",,""',
  '"a,""=1","=","""=1"',
  '"Ålesund\n=1",2e-3,"a=1"',
  '',
].join('\n');

const escaped = [
  '"isp","metricValue","package"',
  `"'=HYPERLINK(""http://evil.example"")",-5.5,"plain"`,
  `"'+1",1,"'-1"`,
  `"'@SUM(A1)",\\N,"'\t=1"`,
  `"'\r=1",,""`,
  `"a,""=1","'=","""=1"`,
  '"Ålesund\n=1",2e-3,"a=1"',
  '',
].join('\n');

describe('a CSV file for spreadsheets', () => {
  it('has an apostrophe before text that would run as a formula, and no other change', async () => {
    for (const chunkBytes of [1, 2, 3, 7, 10_000]) {
      expect(await through(file, chunkBytes), `${chunkBytes} bytes`).to.equal(escaped);
    }
  });

  it('has the same in a copied table', () => {
    const texts = ['=1', '+1', '-1', '@a', '\ta', '\ra', 'a=1', '', 'Ålesund'];
    expect(texts.map(escapedText)).to.deep.equal([
      ...["'=1", "'+1", "'-1", "'@a", "'\ta", "'\ra"],
      ...['a=1', '', 'Ålesund'],
    ]);
  });
});

async function through(text: string, chunkBytes: number): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const chunks = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        controller.enqueue(bytes.slice(at, at + chunkBytes));
      }
      controller.close();
    },
  });
  return new Response(chunks.pipeThrough(escapeFormulas())).text();
}
