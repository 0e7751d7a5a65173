import { expect } from 'chai';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';

describe('the dictionaries', () => {
  // The local engine accepts a Map attribute; ClickHouse 25.8, 26.1 and 26.3 reject it with code 50.
  it('have no Map or Tuple attribute, which the oldest supported ClickHouse rejects', () => {
    const dictionaries = readMigrations()
      .flatMap(({ statements }) => statements)
      .filter(({ kind, object }) => kind === 'create' && object === 'DICTIONARY');
    expect(new Set(dictionaries.map(({ name }) => name))).to.have.property('size', 4);
    for (const { text } of dictionaries) {
      const [, attributes] = /^\(\n([\s\S]*?)^\)$/m.exec(text) ?? [];
      expect(attributes)
        .to.be.a('string')
        .that.does.not.match(/\b(Map|Tuple)\(/);
    }
  });
});
