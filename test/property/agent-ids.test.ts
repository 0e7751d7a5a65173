import { expect } from 'chai';
import fc from 'fast-check';
import { normaliseId } from '../../services/registry/agents/normalise-id.ts';
import { plainId } from '../../services/registry/agents/plain-id.ts';
import { localStack } from '../support/local-stack.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { addAgent, newTenant } from '../support/tenant.ts';

/** Number of random ids, and of agents with similar ids. `make proof-security` has more. */
const idRuns = Number(process.env.AGENT_ID_RUNS ?? 2_000);
const similarIds = Number(process.env.SIMILAR_IDS ?? 40);

const hexDigit = fc.constantFrom(...'0123456789abcdefABCDEF'.match(/./g)!);
/** Spellings of a MAC address, and others with a digit or separator too many. */
const macLike = fc
  .tuple(
    fc.array(hexDigit, { minLength: 11, maxLength: 13 }),
    fc.constantFrom(2, 4, 6, 12),
    fc.constantFrom(':', '-', '.', '', '_'),
  )
  .map(([digits, group, separator]) =>
    (digits.join('').match(new RegExp(`.{1,${group}}`, 'g')) ?? []).join(separator),
  );
const anyText = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => !/[\0\p{Surrogate}]/u.test(text));
const decomposed = fc.constantFrom('cafe\u0301', 'caf\u00e9', 'Å-1', 'A\u030a-1', 'ﬁ-1', 'İI-ß');

describe('ids in Postgres and TypeScript', () => {
  it('have the same normalised and plain form', async () => {
    const { database } = await localStack();
    // A fixed seed: the two may know different versions of Unicode, in which new letters differ.
    const ids = fc.sample(fc.oneof(macLike, anyText, decomposed), { numRuns: idRuns, seed: 18 });
    const { rows } = await database.raw<{ rows: { normalised: string; plain: string }[] }>(
      `select normalise_id(id) as normalised, plain_id(id) as plain
       from jsonb_array_elements_text(cast(? as jsonb)) with ordinality as sent (id, at) order by at`,
      [JSON.stringify(ids)],
    );
    const inTypeScript = ids.map((id) => ({ normalised: normaliseId(id), plain: plainId(id) }));
    expect(rows).to.deep.equal(inTypeScript);
  });

  it('are equal only if they are the same text or spellings of one MAC address', () => {
    fc.assert(
      fc.property(fc.oneof(macLike, anyText), fc.oneof(macLike, anyText), (a, b) => {
        const hex = (id: string) => id.replace(/[:.-]/g, '').toLowerCase();
        const isSameText = a.normalize('NFC') === b.normalize('NFC');
        const isSameMac = hex(a) === hex(b) && /^[0-9a-f]{12}$/.test(hex(a));
        if (normaliseId(a) === normaliseId(b)) expect(isSameText || isSameMac).to.equal(true);
        else expect(isSameText).to.equal(false);
      }),
      { numRuns: idRuns },
    );
  });

  it('select only the agent that has them, among agents with similar ids', async function () {
    this.timeout(60_000 + similarIds * 1_000);
    const { database, metadataUrl } = await localStack();
    const { organisationId, metadataToken } = await newTenant(database);
    const ids = similar(similarIds);
    for (const agentId of ids) await addAgent(database, organisationId, { agentId });
    const client = metadataClient(metadataUrl, metadataToken);
    for (const [i, agent_id] of ids.entries()) {
      const change = { agent: { agent_id }, metadata: { custom: { changed: i } } };
      expect((await client.put(change)).status, agent_id).to.equal(200);
    }
    const stored = await database('agent_metadata as m')
      .join('agents as a', 'a.id', 'm.agent_key')
      .where({ 'a.organisation_id': organisationId, 'm.superseded_at': null })
      .select<{ agent_id: string; custom: { changed: number } }[]>('a.agent_id', 'm.custom');
    const found = stored.map(({ agent_id, custom }) => [agent_id, custom.changed] as const);
    expect(new Map(found)).to.deep.equal(new Map(ids.map((id, i) => [id, i])));
    expect(found).to.have.length(ids.length);
  });

  for (const mac of ['00:1A:2B:3C:4D:5E', '00-1a-2b-3c-4d-5e', '001A.2B3C.4D5E', '001a2b-3c4d5e']) {
    it(`find the MAC address ${mac} as 001a2b3c4d5e`, () => {
      expect(normaliseId(mac)).to.equal('001a2b3c4d5e');
    });
  }
});

/** Ids with the same letters and digits: `site1-1`, `site11`, `Site1.1`, `site1:1` … */
function similar(count: number): string[] {
  const separators = ['-', '', '.', ':', '_', ' ', '/', '--', "'", '%'];
  const names = ['site', 'Site', 'SITE', 'síte'];
  return Array.from({ length: count }, (_, i) => {
    const separator = separators[i % separators.length]!;
    const group = Math.floor(i / (separators.length * names.length));
    return `${names[Math.floor(i / separators.length) % names.length]!}${group}1${separator}1`;
  });
}
