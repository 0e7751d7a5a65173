import { expect } from 'chai';
import { identifierPattern } from '../../../services/metadata/erasure/identifier-pattern.ts';

describe('the search for identifiers in stored requests', () => {
  const finds = (identifier: string, text: string) =>
    new RegExp(identifierPattern([identifier]), 'i').test(text);

  for (const [identifier, text] of [
    ['00:1A:2B:3C:4D:5E', '{"mac_address":"001a.2b3c.4d5e"}'],
    ['001a2b3c4d5e', '{"mac_address":"00-1A-2B-3C-4D-5E"}'],
    ['box-17', '{"filterValues":["BOX-17","box-18"]}'],
    ['агент-7', '{"agent_id":"агент-7"}'],
    ['a"b\\c', JSON.stringify({ agent_id: 'a"b\\c' })],
    ['(x+)', '{"agent_id":"(x+)"}'],
    ['100123', '{"unit_id":100123}'],
    ['100123', '{"filterValues": [7, 100123]}'],
    ['100123', '{"filterValues":["100123"]}'],
  ] as const) {
    it(`finds ${identifier} in ${text}`, () => {
      expect(finds(identifier, text)).to.equal(true);
    });
  }

  for (const [identifier, text] of [
    ['box-1', '{"agent_id":"box-17"}'],
    ['агент-7', '{"agent_id":"прибор-7"}'],
    ['11', '{"time":{"from":"2026-11-16"}}'],
    ['11', '{"unit_id":115}'],
    ['11', '{"custom":{"tier":"11a"}}'],
  ] as const) {
    it(`does not find ${identifier} in ${text}`, () => {
      expect(finds(identifier, text)).to.equal(false);
    });
  }
});
