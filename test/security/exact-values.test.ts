import { expect } from 'chai';
import { parseCsv } from '../../services/results/csv.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { localStack, type LocalStack } from '../support/local-stack.ts';
import { metadataClient, type MetadataClient } from '../support/metadata-client.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../support/tenant.ts';
import { injectionCorpus } from './injection-corpus.ts';

/** Texts that can be stored: without NUL and lone surrogates. */
const texts = injectionCorpus
  .filter((text) => !/[\0\p{Surrogate}]/u.test(text))
  // An ISP name must not start with a colon: `<isp>:<package>` would be ambiguous.
  .map((text) => (text.startsWith(':') ? `x${text}` : text));
/** Tests with one request per text use every eighth text, or all with `INJECTION_RUNS=all`. */
const sampledTexts =
  process.env.INJECTION_RUNS === 'all' ? texts : texts.filter((_, i) => i % 8 === texts.length % 8);

const lastWeek = { from: '-7 days', to: 'now' };
const raw = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: lastWeek,
};

describe('a stored text that contains SQL', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let api: DataApi;
  let metadata: MetadataClient;

  // Unit i has text i as ISP, package, custom field and target of its only result.
  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    metadata = metadataClient(stack.metadataUrl, tenant.metadataToken);
    const { organisationId } = tenant;
    await addPackages(
      stack.database,
      organisationId,
      Object.fromEntries(texts.map((text) => [text, [text]])),
    );
    const dtime = new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const results = [];
    for (const [i, target] of texts.entries()) {
      const agent = { agentId: `agent-${i}`, unitId: i + 1 };
      const agentKey = await addAgent(stack.database, organisationId, agent);
      results.push({ ...agent, agentKey, dtime, mbps: i + 1, target });
    }
    await addDownloads(stack.clickhouse, organisationId, results);
    for (const [i, text] of texts.entries()) {
      const change = { package: `${text}:${text}`, custom: { note: text, [keyOf(text)]: 'x' } };
      const { status, body } = await metadata.put({
        agent: { unit_id: i + 1 },
        metadata: change,
        backdate_from: daysAgo(20),
      });
      expect(status, `${text}: ${JSON.stringify(body)}`).to.equal(200);
    }
    await waitUntilPublished();
  });

  it('is returned unchanged by the metadata interface', async () => {
    for (const [i, text] of texts.entries()) {
      const { body } = await metadata.get(`/metadata/unit/${i + 1}`);
      expect(body.data).to.deep.equal({
        package: `${text}:${text}`,
        isp: text,
        timezone: null,
        custom: { note: text, [keyOf(text)]: 'x' },
      });
    }
  });

  it('selects only the agents that have it', async () => {
    for (const [i, text] of texts.entries()) {
      if (!sampledTexts.includes(text)) continue;
      for (const agent of [
        { isp: text },
        { package: `${text}:${text}` },
        { custom: { note: text } },
      ]) {
        const { status } = await metadata.put({ agent, metadata: { custom: { seen: text } } });
        expect(status, text).to.equal(200);
        const others = await stack
          .database('agent_metadata as m')
          .join('agents as a', 'a.id', 'm.agent_key')
          .where({ 'a.organisation_id': tenant.organisationId, 'm.superseded_at': null })
          .whereRaw("m.custom ->> 'seen' = ? and a.unit_id <> ?", [text, i + 1]);
        expect(others, text).to.deep.equal([]);
      }
    }
  });

  for (const field of ['target', 'isp', 'package', 'note']) {
    const valueOf = (text: string) => (field === 'package' ? `${text}:${text}` : text);

    it(`is unchanged in metric data split by ${field}`, async () => {
      const { body } = await api.post('/metric_data', { ...raw, splits: [field] });
      const series = body.data as { metricData: Record<string, unknown>[] }[];
      const points = series.flatMap(({ metricData }) => metricData);
      const found = points.map((point) => [Number(point.unit), point[field]] as const);
      expect(new Map(found)).to.deep.equal(new Map(texts.map((text, i) => [i + 1, valueOf(text)])));
    });

    it(`is matched exactly by a filter on ${field}`, async () => {
      for (const text of sampledTexts) {
        const filter = { id: field, filterType: 'include', filterValues: [valueOf(text)] };
        const { body } = await api.post('/metric_data', { ...raw, filters: [filter] });
        const series = body.data as { metricData: { unit: string }[] }[];
        const units = series.flatMap(({ metricData }) => metricData.map(({ unit }) => unit));
        expect(units, `${field} ${text}`).to.deep.equal([String(texts.indexOf(text) + 1)]);
      }
    });

    it(`is listed among the values of ${field} and found by its words`, async () => {
      for (const text of sampledTexts) {
        const search = encodeURIComponent(text);
        const { body } = await api.get(`/filters/${field}/values?limit=1000&search=${search}`);
        const words = lower(text).split(/\s+/);
        const expected = texts
          .map(valueOf)
          .filter((value) => words.every((word) => lower(value).includes(word)));
        expect(new Set(body.data as string[]), text).to.deep.equal(new Set(expected));
      }
    });
  }

  it('can be the name of a custom field and thus of a column', async () => {
    for (const text of sampledTexts) {
      const name = `custom.${keyOf(text)}`;
      const { body } = await api.post('/metric_data', { ...raw, splits: [name] });
      expect(body.code, JSON.stringify(body)).to.equal('OK');
      const points = (body.data as { metricData: Record<string, unknown>[] }[]).flatMap(
        ({ metricData }) => metricData,
      );
      const having = points.filter((point) => point[name] === 'x').map(({ unit }) => unit);
      expect(having, text).to.deep.equal([String(texts.indexOf(text) + 1)]);
    }
  });

  it('is unchanged in a CSV file', async () => {
    const { body } = await api.post('/metric_data.csv', { ...raw, splits: ['target'] });
    const file = await (await fetch((body.data as { url: string }).url)).text();
    const [header = [], ...rows] = parseCsv(file);
    const [unit, target] = [header.indexOf('unit'), header.indexOf('target')];
    const found = rows.map((row) => [Number(row[unit]), row[target]] as const);
    expect(new Map(found)).to.deep.equal(new Map(texts.map((text, i) => [i + 1, text])));
  });

  async function waitUntilPublished(): Promise<void> {
    for (let waits = 0; waits < 600; waits++) {
      const { status, body } = await api.get('/filters/note/values?limit=1000');
      const hasValues = status === 200 && (body.data as unknown[]).length === texts.length;
      if (hasValues && (await hasAllKeys())) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('the metadata was not published after 2 minutes');
  }

  /** The service caches the custom keys of an organisation (ACCESS_CACHE_MS). */
  async function hasAllKeys(): Promise<boolean> {
    const { body } = await api.get('/splits');
    const names = (body.data as { id: string }[]).map(({ id }) => id);
    return texts.every((text) => names.includes(keyOf(text)));
  }
});

/** A key must contain a letter. */
function keyOf(text: string): string {
  return `k${text}`;
}

function lower(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
