import { expect } from 'chai';
import request from 'supertest';
import { defaultScopes } from '../../../services/shared/auth/scopes.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { mapFile, squares } from '../../support/map-file.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

interface StoredMap {
  readonly field: string;
  readonly regions: readonly { readonly name: string; readonly polygons: object }[];
}

const square = (x: number) => [
  [
    [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
      [x, 0],
    ],
  ],
];

describe('the map of the explorer', () => {
  let stack: LocalStack;
  let service: QueryService;
  let tenant: Tenant;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    const file = await mapFile(['north', 'south']);
    service = await startQueryService({ EXPLORER_MAP_FILE: file, EXPLORER_MAP_FIELD: 'region' });
  });
  after(() => service.stop());

  beforeEach(async () => {
    const { database } = stack;
    tenant = await newTenant(database);
    api = new DataApi(service.url, tenant.dataToken);
    for (const region of ['oslo', 'bergen']) {
      await addAgent(database, tenant.organisationId, { agentId: region });
      const change = {
        agent: { agent_id: region },
        metadata: { custom: { region, room: region } },
      };
      await changeMetadata(database, tenant, change, new Date());
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  it('is that of the settings, with only the names and outlines of its regions', async () => {
    const { status, body } = await api.get('/region-map');
    expect(status).to.equal(200);
    expect(body.data).to.deep.equal({
      field: 'region',
      regions: [
        { name: 'north', polygons: square(0) },
        { name: 'south', polygons: square(1) },
      ],
    });
    expect(await mapFields(api)).to.deep.equal(['region']);
  });

  it('200: an organisation replaces it, and deletes it again', async () => {
    const map = squares(['oslo', 'bergen', 'nowhere']);
    const saved = await put({ field: 'region', map });
    expect(saved.body.data).to.deep.equal({
      field: 'region',
      regions: 3,
      unknownRegions: ['nowhere'],
    });
    const { regions } = await mapOf(api);
    expect(regions.map(({ name }) => name)).to.deep.equal(['oslo', 'bergen', 'nowhere']);
    expect(regions[1]).to.deep.equal({ name: 'bergen', polygons: square(1) });

    await put({ field: 'room', property: 'name', map: squares(['oslo']) });
    expect(await mapOf(api)).to.deep.equal({
      field: 'room',
      regions: [{ name: 'oslo', polygons: square(0) }],
    });
    expect(await mapFields(api)).to.deep.equal(['room']);

    expect((await api.send('DELETE', '/region-map', {})).status).to.equal(200);
    expect((await mapOf(api)).field).to.equal('region');
    expect((await api.send('DELETE', '/region-map', {})).status).to.equal(404);
  });

  it('belongs to one organisation', async () => {
    await put({ field: 'region', map: squares(['oslo']) });
    const stranger = new DataApi(service.url, (await newTenant(stack.database)).dataToken);
    expect((await mapOf(stranger)).regions.map(({ name }) => name)).to.deep.equal([
      'north',
      'south',
    ]);
    expect((await stranger.send('DELETE', '/region-map', {})).status).to.equal(404);
    expect((await mapOf(api)).regions).to.have.length(1);
  });

  it('304: is sent again only after it has changed', async () => {
    await put({ field: 'region', map: squares(['oslo']) });
    const get = (tag: string) =>
      request(service.url)
        .get('/region-map')
        .set({ authorization: tenant.dataToken, 'if-none-match': tag });
    const { etag = '' } = (await get('W/"other"')).headers;
    expect(etag).to.match(/^W\/".+"$/);
    expect((await get(etag)).status).to.equal(304);
    await put({ field: 'region', map: squares(['bergen']) });
    expect((await get(etag)).status).to.equal(200);
  });

  it('403: needs views:write, which a new token does not have', async () => {
    const scopes = defaultScopes.data;
    const token = await newTenantToken(stack.database, tenant.organisationId, 'data', { scopes });
    const reader = new DataApi(service.url, token);
    expect((await reader.get('/region-map')).status).to.equal(200);
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await reader.send(method, '/region-map', {});
      expect([status, body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  it('404: without a map of the settings', async () => {
    const without = await startQueryService({ EXPLORER_MAP_FILE: '' });
    try {
      const other = new DataApi(without.url, tenant.dataToken);
      expect((await other.get('/region-map')).status).to.equal(404);
      expect(await mapFields(other)).to.deep.equal([]);
    } finally {
      await without.stop();
    }
  });

  it('413: more than 5 MiB, and takes what is larger than other bodies', async () => {
    const [one] = squares(['oslo']).features;
    const body = (padding: number) => ({
      field: 'region',
      map: { type: 'FeatureCollection', features: [one], note: 'x'.repeat(padding) },
    });
    expect((await put(body(4_500_000))).status).to.equal(200);
    const tooLarge = await api.send('PUT', '/region-map', {
      body: JSON.stringify(body(5_300_000)),
      headers: { 'content-type': 'application/json' },
    });
    expect([tooLarge.status, tooLarge.body.message]).to.deep.equal([
      413,
      'The request body is larger than 5242880 bytes',
    ]);
  });

  it('422: what is wrong, and where', async () => {
    const map = squares(['oslo']);
    const geometry = (changed: object) => ({
      type: 'FeatureCollection',
      features: [{ ...map.features[0], geometry: changed }],
    });
    const open = { type: 'Polygon', coordinates: [square(0)[0]![0]!.slice(0, 4)] };
    const outside = { type: 'Polygon', coordinates: [square(200)[0]![0]!] };
    for (const [body, field, problem] of [
      [{}, 'field', /^Send the field of GET \/splits/],
      [{ field: 'regin', map }, 'field', /^Unknown field "regin"\. Did you mean "region"/],
      [{ field: 'unit', map }, 'field', /^unit identifies one household/],
      [{ field: 'region', map, colour: 1 }, 'colour', /^This field was not expected/],
      [{ field: 'region', property: 5, map }, 'property', /^Send the property/],
      [{ field: 'region' }, 'map', /^The map must be a GeoJSON FeatureCollection\.$/],
      [
        { field: 'region', property: 'code', map },
        'map',
        /features\[0\]\.properties\.code must be text .*: send as "property" such a property; the feature has: name, internal\.$/,
      ],
      [
        { field: 'region', map: squares(['oslo', 'oslo']) },
        'map',
        /^The map features\[0\] and features\[1\] have the same name, "oslo"/,
      ],
      [{ field: 'region', map: geometry({ type: 'Point' }) }, 'map', /a MultiPolygon, not Point/],
      [{ field: 'region', map: geometry(open) }, 'map', /of which the last is the first/],
      [{ field: 'region', map: geometry(outside) }, 'map', /must be a longitude from -180 to 180/],
      [
        { field: 'region', property: 'internal', map },
        'property',
        /^No name of a region is a value of region\. The map has "not for the page"; region has "(oslo|bergen)"/,
      ],
    ] as const) {
      const { status, body: answer } = await sendMap(body);
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(answer.errors?.[field]?.[0], JSON.stringify(answer.errors)).to.match(problem);
    }
  });

  it('is audited with its field and the number of regions, without its borders', async () => {
    await put({ field: 'region', map: squares(['oslo', 'bergen']) });
    await api.send('DELETE', '/region-map', {});
    const audited = () =>
      queryRows<{ route: string; request: string }>(
        stack.clickhouse,
        `SELECT route, request FROM query_audit
         WHERE organisation_id = ${tenant.organisationId} AND route LIKE '%/region-map' ORDER BY route`,
      );
    await waitUntil(async () => (await audited()).length === 2);
    expect(await audited()).to.deep.equal([
      { route: 'DELETE /region-map', request: '' },
      {
        route: 'PUT /region-map',
        request: JSON.stringify({ field: 'region', property: 'name', regions: 2 }),
      },
    ]);
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

  async function put(body: object) {
    const response = await sendMap(body);
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response;
  }

  function sendMap(body: object) {
    return api.send('PUT', '/region-map', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  async function mapOf(from: DataApi): Promise<StoredMap> {
    return (await from.get('/region-map')).body.data as StoredMap;
  }

  /** The fields that the listings mark. */
  async function mapFields(from: DataApi): Promise<readonly string[]> {
    const listed = (await from.get('/splits')).body.data as { id: string; map: boolean }[];
    return listed.filter(({ map }) => map).map(({ id }) => id);
  }
});
