import { expect } from 'chai';
import { resultChart } from '../../../../services/cli/query/result-chart.ts';
import { resultRows } from '../../../../services/cli/query/result-rows.ts';
import { resultTable, shortNumber } from '../../../../services/cli/query/result-table.ts';
import { styleFor } from '../../../../services/cli/terminal/style.ts';

const plain = styleFor({});
const point = (isp: string, dtime: string, metricValue: number | null) => ({
  isp,
  dtime,
  metricValue,
  sampleCount: 12,
});

describe('the output of netpanel query', () => {
  it('aligns a table, numbers to the right, and shows nulls as a dash', () => {
    const rows = [point('A', '2026-11-01', 303.8589), point('Ünïcode 日本', '2026-11-02', null)];
    expect(resultTable(rows, ['isp'], undefined, plain).split('\n')).to.deep.equal([
      'isp           dtime       metricValue  sampleCount',
      'A             2026-11-01        303.9           12',
      'Ünïcode 日本  2026-11-02            -           12',
    ]);
  });

  it('makes escape sequences in names visible instead of sending them to the terminal', () => {
    const table = resultTable([point('\u001b[2J‮x', '2026-11-01', 1)], ['isp'], undefined, plain);
    expect(table).to.include('\\u{1b}[2J\\u{202e}x').and.not.include('\u001b');
  });

  it('draws one block per bucket on a common scale from 0, and a gap where a series has no value', () => {
    const rows = [
      ...[10, 20, 40].map((value, i) => point('A', `2026-11-0${i + 1}`, value)),
      ...[80, 79].map((value, i) => point('B', `2026-11-0${i * 2 + 1}`, value)),
    ];
    const [a, b, , legend] = resultChart(rows, ['isp'], 80, plain).split('\n');
    expect(a).to.equal('A  ▂▃▅  40');
    expect(b).to.equal('B  █ █  79');
    expect(legend).to.include('2026-11-01 to 2026-11-03, scale 0 to 80');
  });

  it('does not print a day that is not over as the last value, and names it', () => {
    const rows = ['2026-11-01', '2026-11-02', '2026-11-03'].map((dtime, i) => ({
      ...point('A', dtime, [40, 50, 9][i] ?? null),
      partial: i === 2,
    }));
    const [a, , legend] = resultChart(rows, ['isp'], 80, plain).split('\n');
    expect(a).to.equal('A  ▇█▂  50');
    expect(legend).to.include('partial: 2026-11-03');
    const table = (all: typeof rows) => resultTable(all, ['isp'], undefined, plain).split('\n');
    expect(table(rows)[0]).to.match(/ partial$/);
    expect(table(rows)[3]).to.match(/ true$/);
    expect(table(rows.slice(0, 2))[0]).to.not.include('partial');
  });

  it('averages buckets that do not fit, and states how many', () => {
    const rows = Array.from({ length: 24 }, (_, hour) => ({
      aggregatedNumber: hour,
      metricValue: hour < 12 ? 1 : 8,
    }));
    const chart = resultChart(rows, [], 23, plain);
    expect(chart).to.include('all  ▂▂▂▂████  8').and.include('3 buckets per character, averaged');
  });

  it('draws a bar per series of a total', () => {
    const rows = [
      { isp: 'A', metricValue: 5, sampleCount: 1 },
      { isp: 'B', metricValue: 10, sampleCount: 1 },
    ];
    const [a, b] = resultChart(rows, ['isp'], 23, plain).split('\n');
    expect([a, b]).to.deep.equal(['A  █████  5', 'B  ██████████  10']);
  });

  it('rounds to four digits, but keeps whole numbers', () => {
    expect([303.8589, 0.0123456, 12345.6, 1234567, 0].map(shortNumber)).to.deep.equal([
      '303.9',
      '0.01235',
      '12346',
      '1234567',
      '0',
    ]);
  });

  it('refuses a response that ends within a row, and stops reading at the limit', async () => {
    const text = '{"a":1}\n{"a":2}\n{"a":3}\n';
    const chunks = (content: string) => [
      Buffer.from(content.slice(0, 9)),
      Buffer.from(content.slice(9)),
    ];
    const read = (content: string, limit: number) => resultRows(asStream(chunks(content)), limit);
    expect(await read(text, 3)).to.deep.equal({
      rows: [{ a: 1 }, { a: 2 }, { a: 3 }],
      isCut: false,
    });
    expect(await read(text, 2)).to.deep.equal({ rows: [{ a: 1 }, { a: 2 }], isCut: true });
    const error = await read(text.slice(0, -1), 3).catch((reason: unknown) => reason);
    expect(String(error)).to.include('incomplete');
  });

  it('is coloured on a terminal only, and not with NO_COLOR or TERM=dumb', () => {
    expect(styleFor({ isTTY: true }, {})('x', 'bold', 'red')).to.equal('\u001b[1;31mx\u001b[0m');
    expect(styleFor({ isTTY: true }, { NO_COLOR: '1' })('x', 'red')).to.equal('x');
    expect(styleFor({ isTTY: true }, { TERM: 'dumb' })('x', 'red')).to.equal('x');
    expect(styleFor({}, {})('x', 'red')).to.equal('x');
  });
});

async function* asStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
