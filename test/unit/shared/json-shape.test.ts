import { expect } from 'chai';
import fc from 'fast-check';
import { jsonShape, type JsonShape } from '../../../services/shared/http/checked-json.ts';

describe('the shape of a JSON text', () => {
  it('has the members and the depth of the parsed value, and at least its values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const read = jsonShape(Buffer.from(JSON.stringify(value, undefined, indent)));
        const parsed = shapeOf(value);
        expect(read).to.include({ members: parsed.members, depth: parsed.depth });
        // An empty list counts as if it had a value.
        expect(read.values).to.be.within(parsed.values, 2 * parsed.values);
      }),
    );
  });

  it('ignores punctuation in texts, also after escapes', () => {
    const json = JSON.stringify(['{[,:]}', '"', '\\', '\\"', ',']);
    expect(jsonShape(Buffer.from(json))).to.deep.equal({ values: 6, members: 0, depth: 1 });
  });

  it('counts duplicate fields, which JSON.parse drops', () => {
    expect(jsonShape(Buffer.from('{"a":1,"a":2}')).members).to.equal(2);
  });
});

function shapeOf(value: unknown): JsonShape {
  if (typeof value !== 'object' || value === null) return { values: 1, members: 0, depth: 0 };
  const inner = Object.values(value).map(shapeOf);
  const sum = (count: (shape: JsonShape) => number) =>
    inner.reduce((total, shape) => total + count(shape), 0);
  return {
    values: 1 + sum(({ values }) => values),
    members: (Array.isArray(value) ? 0 : inner.length) + sum(({ members }) => members),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}
