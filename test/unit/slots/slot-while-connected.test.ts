import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import type { Response } from 'express';
import type { Caller } from '../../../services/shared/auth/caller.ts';
import { OrganisationSlots } from '../../../services/shared/slots/organisation-slots.ts';
import { slotWhileConnected } from '../../../services/shared/slots/in-slot.ts';

describe('slotWhileConnected', () => {
  it('gives no slot to a client that disconnected before it asked for one', async () => {
    const slots = new OrganisationSlots('running changes', 1, 1_000);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const [, sent] = (await once(server, 'request')) as [unknown, ServerResponse];
      client.destroy();
      await once(sent, 'close');
      const caller = { organisationId: 1 } as Caller;
      const res = Object.assign(sent, { locals: { caller } }) as unknown as Response;
      expect(await slotWhileConnected(slots, res)).to.equal(undefined);
      expect(slots.counts).to.deep.equal({ running: 0, waiting: 0, refused: 0 });
    } finally {
      server.close();
    }
  });
});
