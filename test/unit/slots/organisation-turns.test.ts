import { expect } from 'chai';
import { OrganisationTurns } from '../../../services/shared/slots/organisation-turns.ts';

const connected = new AbortController().signal;

describe('turns of the event loop', () => {
  /** Waits for a turn before each of three parts. */
  async function work(
    turns: OrganisationTurns,
    organisation: number,
    order: (number | string)[],
    signal = connected,
  ): Promise<void> {
    for (let part = 0; part < 3; part++) {
      await turns.next(organisation, signal);
      order.push(organisation);
    }
  }

  it('go to organisations one after another, however many requests one has', async () => {
    const turns = new OrganisationTurns();
    const order: number[] = [];
    await Promise.all([1, 1, 1, 2].map((organisation) => work(turns, organisation, order)));
    expect(order.slice(0, 6)).to.deep.equal([1, 2, 1, 2, 1, 2]);
    expect(order).to.have.length(12);
  });

  it('leave the event loop free between two parts', async () => {
    const turns = new OrganisationTurns();
    const order: (number | string)[] = [];
    const works = [1, 2, 3].map((organisation) => work(turns, organisation, order));
    setImmediate(() => order.push('other'));
    await Promise.all(works);
    expect(order.indexOf('other')).to.be.at.most(1);
  });

  it('end with the connection of the client', async () => {
    const turns = new OrganisationTurns();
    const client = new AbortController();
    const order: number[] = [];
    const ended = work(turns, 1, order, client.signal).catch(
      (error: unknown) => (error as Error).message,
    );
    await turns.next(2, connected);
    client.abort(new Error('disconnected'));
    expect(await ended).to.equal('disconnected');
    expect(order).to.deep.equal([1]);
  });
});
