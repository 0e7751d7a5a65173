import { expect } from 'chai';
import { Progress } from '../../../services/load/progress.ts';

function recorded(isTTY: boolean, totalBytes = 100e6) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const output = { isTTY, columns: 100, write: (text: string) => written.push(text) };
  const progress = new Progress('day.csv', totalBytes, output, () => clock.ms);
  const after = (seconds: number, rows: number, bytes: number) => {
    clock.ms = seconds * 1000;
    progress.addRows(rows);
    progress.addBytes(bytes);
  };
  return { written, progress, after };
}

describe('the progress of a load', () => {
  it('is a bar on a terminal, removed at the end', () => {
    const { written, progress, after } = recorded(true);
    after(0.1, 0, 0);
    expect(written).to.deep.equal([]);
    after(10, 0, 0);
    after(10.1, 150_000, 25e6);
    after(10.3, 0, 0);
    expect(written.at(-1)).to.equal(
      '\rday.csv [######..................] 150,000 rows, 2.4 MB/s, 0:31 left\u001b[K',
    );
    progress.end();
    expect(written.at(-1)).to.equal('\r\u001b[K');
  });

  it('is a plain line every five seconds without a terminal', () => {
    const { written, progress, after } = recorded(false);
    after(2, 1_000, 10e6);
    expect(written).to.deep.equal([]);
    after(10, 1_500, 10e6);
    progress.end();
    expect(written).to.deep.equal(['day.csv: 2,500 rows, 1.0 MB/s, 1:30 left\n']);
  });

  it('has no remaining time for standard input', () => {
    const { written, after } = recorded(false, 0);
    after(0, 0, 5e6);
    after(5, 10, 0);
    expect(written).to.deep.equal(['day.csv: 10 rows, 1.0 MB/s\n']);
  });
});
