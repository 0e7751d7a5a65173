import { expect } from 'chai';
import request from 'supertest';
import { localStack } from '../../support/local-stack.ts';
import { mapFile } from '../../support/map-file.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';

describe('the map of the explorer', () => {
  let service: QueryService;

  before(async () => {
    const file = await mapFile(['north', 'south']);
    service = await startQueryService({ EXPLORER_MAP_FILE: file, EXPLORER_MAP_FIELD: 'region' });
  });
  after(() => service.stop());

  it('has only the names and outlines of the regions, and needs no token', async () => {
    const response = await fetch(`${service.url}/explorer/map.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/json/);
    const { regions } = (await response.json()) as { regions: object[] };
    expect(regions).to.have.length(2);
    expect(regions[1]).to.deep.equal({
      name: 'south',
      polygons: [
        [
          [
            [1, 0],
            [2, 0],
            [2, 1],
            [1, 1],
            [1, 0],
          ],
        ],
      ],
    });
    const config = await fetch(`${service.url}/explorer/config.json`);
    expect(await config.json()).to.include({ mapField: 'region' });
  });

  it('is sent again only after it has changed', async () => {
    const get = () => request(service.url).get('/explorer/map.json');
    const { etag = '' } = (await get()).headers;
    expect(etag).to.match(/^W\/".+"$/);
    expect((await get().set('If-None-Match', etag)).status).to.equal(304);
    expect((await get().set('If-None-Match', 'W/"other"')).status).to.equal(200);
  });

  it('is that of the sample panel on the local stack, and absent if it is not set', async () => {
    const { queryUrl } = await localStack();
    const { regions } = (await (await fetch(`${queryUrl}/explorer/map.json`)).json()) as {
      regions: { name: string }[];
    };
    expect(regions.map(({ name }) => name)).to.have.members([
      'north',
      'east',
      'south',
      'west',
      'islands',
    ]);
    const without = await startQueryService({});
    try {
      expect((await fetch(`${without.url}/explorer/map.json`)).status).to.equal(403);
      const config = await fetch(`${without.url}/explorer/config.json`);
      expect(await config.json()).to.include({ mapField: '' });
    } finally {
      await without.stop();
    }
  });

  it('that cannot be used is an error at the start, with the setting and the place', async () => {
    const file = await mapFile(['same', 'same']);
    let message = '';
    await startQueryService({ EXPLORER_MAP_FILE: file, EXPLORER_MAP_FIELD: 'region' }).catch(
      (error: unknown) => (message = (error as Error).message),
    );
    expect(message).to.match(
      /EXPLORER_MAP_FILE features\[0\] and features\[1\] have the same name/,
    );
  });
});
