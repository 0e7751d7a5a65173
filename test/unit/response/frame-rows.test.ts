import { expect } from 'chai';
import type { ResultColumn } from '../../../services/query/compiler/compiled-query.ts';
import {
  frameRows,
  type RowCount,
  type WarningList,
} from '../../../services/query/response/frame-rows.ts';

const lines = [
  '{"isp":"A","package":null,"metricValue":1,"dtime":"2026-01-01"}',
  '{"isp":"A","package":null,"metricValue":2,"dtime":"2026-01-02"}',
  '{"isp":"A, \\"metricValue\\":1","package":"é\\n","metricValue":3,"dtime":"2026-01-01"}',
  '{"isp":"A, \\"metricValue\\":1","package":"é\\n","metricValue":null,"dtime":"2026-01-02"}',
  '{"isp":"A, \\"metricValue\\":12","package":"é\\n","metricValue":4,"dtime":"2026-01-01"}',
  '{"isp":null,"package":"x","metricValue":5,"dtime":"2026-01-01"}',
];
const response = Buffer.from(lines.map((line) => `${line}\n`).join(''));

describe('the response envelope', () => {
  it('has one object per series, wherever the bytes are split', async () => {
    const series = [lines.slice(0, 2), lines.slice(2, 4), lines.slice(4, 5), lines.slice(5)];
    for (let at = 0; at <= response.length; at++) {
      const { body, count } = await framed(split(response, at), metricDataWithSplits);
      expect(body.code).to.equal('OK');
      expect(body.data).to.deep.equal(
        series.map((rows) => ({ metricData: rows.map((row) => JSON.parse(row) as unknown) })),
      );
      expect(count.rows).to.equal(6);
    }
  });

  it('is the same when the bytes arrive one at a time', async () => {
    const whole = await framed(split(response, 0), metricDataWithSplits);
    const inBytes = await framed(split(response, ...response.keys()), metricDataWithSplits);
    expect(inBytes.text).to.equal(whole.text);
  });

  it('has the rows of test data unchanged, wherever the bytes are split', async () => {
    for (let at = 0; at <= response.length; at++) {
      const { body } = await framed(split(response, at), testData);
      expect(body.data).to.deep.equal(lines.map((line) => JSON.parse(line) as unknown));
    }
  });

  it('is not completed when the data ends within a row', async () => {
    for (const at of [5, response.length - 1]) {
      const cut = framed(split(response.subarray(0, at), 2), testData);
      expect(await cut.catch((error: unknown) => error)).to.be.instanceOf(Error);
    }
  });

  it('is not completed after an invalid line', async () => {
    const text = Buffer.from(`${lines[0] ?? ''}\nCode: 241. DB::Exception: Memory limit\n`);
    const broken = framed(split(text, 0), testData);
    expect(await broken.catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('has the warnings after the data, if there are any', async () => {
    const warning = { code: 'UNKNOWN_FIELD', field: 'é', message: 'Ignored.' } as const;
    const withWarnings: Framer = (chunks, count) =>
      testData(chunks, count, () => Promise.resolve([warning]));
    for (const rows of [response, Buffer.alloc(0)]) {
      const { text } = await framed(split(rows, 0), withWarnings);
      expect(text).to.match(/],"warnings":\[\{[^[]+\]\}$/);
      expect((JSON.parse(text) as { warnings: unknown }).warnings).to.deep.equal([warning]);
      expect((await framed(split(rows, 0), testData)).body).not.to.have.property('warnings');
    }
  });

  it('is not started before the first row has arrived', async () => {
    const pieces = testData(split(Buffer.from('{"a":1}\n'), 3), { rows: 0 });
    const first = await pieces.next();
    expect(String(first.value)).to.match(/^\{"code":"OK"/);
  });
});

type Framer = (
  chunks: AsyncIterable<Buffer>,
  count: RowCount,
  warnings?: () => WarningList,
) => AsyncGenerator<Buffer>;

const columns = ['isp', 'package', 'metricValue', 'dtime'].map((name): ResultColumn => ({
  name,
  kind: 'text',
}));

const oneSeriesShape = { keyColumns: 0, orders: [], hasEmptySeries: true } as const;
const splitShape = {
  keyColumns: 2,
  orders: ['values', 'values'],
  hasEmptySeries: false,
} as const;

const metricDataWithSplits: Framer = (chunks, count) =>
  frameRows('metric_data', chunks, { columns, series: splitShape }, count, () => []);

const testData: Framer = (chunks, count, warnings = () => []) =>
  frameRows('test_data', chunks, { columns, series: oneSeriesShape }, count, warnings);

async function framed(chunks: AsyncIterable<Buffer>, framer: Framer) {
  const count = { rows: 0 };
  const pieces: Buffer[] = [];
  for await (const piece of framer(chunks, count)) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString();
  return { text, count, body: JSON.parse(text) as { code: string; data: unknown } };
}

async function* split(buffer: Buffer, ...at: number[]): AsyncGenerator<Buffer> {
  const edges = [0, ...at, buffer.length];
  for (const [index, start] of edges.slice(0, -1).entries()) {
    yield await Promise.resolve(Buffer.from(buffer.subarray(start, edges[index + 1])));
  }
}
