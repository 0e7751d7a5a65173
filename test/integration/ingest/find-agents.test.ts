import { expect } from 'chai';
import { AgentFinder } from '../../../services/ingest/rows/find-agents.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

describe('the search for the agents of results', () => {
  /** The ids of the agents found, in an organisation with the agents a, b and c, and units 1 to 3. */
  async function found(unitIds: readonly number[], agentIds: readonly string[]) {
    const { database } = await localStack();
    const { organisationId } = await newTenant(database);
    const other = await newTenant(database);
    for (const [i, agentId] of ['a', 'b', 'c'].entries()) {
      await addAgent(database, organisationId, { agentId, unitId: i + 1 });
      await addAgent(database, other.organisationId, { agentId, unitId: i + 1 });
    }
    const agents = await new AgentFinder(database).find(organisationId, { unitIds, agentIds });
    return agents.map(({ agent_id }) => agent_id).sort();
  }

  it('finds units and agents, and no others', async () => {
    expect(await found([2, 9], ['c', 'x'])).to.deep.equal(['b', 'c']);
    expect(await found([], [])).to.deep.equal([]);
  });

  it('finds no others among hundreds, which are searched in one statement', async () => {
    const many = Array.from({ length: 600 }, (_, i) => 1000 + i);
    expect(await found([3, ...many], ['a'])).to.deep.equal(['a', 'c']);
  });
});
