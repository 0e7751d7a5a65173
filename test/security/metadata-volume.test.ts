import { expect } from 'chai';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { injectionCorpus } from './injection-corpus.ts';

/** Agents with as much hostile metadata as is allowed. `make proof-security` has more. */
const agentCount = Number(process.env.HOSTILE_AGENTS ?? 8);

/** The limits of a value and of an agent: 1,024 characters, and less than 65,536 bytes of JSON. */
const valueLength = 1_000;
const keyCount = 30;
/** The metadata is valid from before the results on. */
const validFromUtcS = daysAgo(5);
const dtime = new Date(daysAgo(2) * 1000).toISOString().slice(0, 19).replace('T', ' ');
const everything = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '-4 days', to: 'now' },
};

describe('an organisation with hostile metadata of the maximum size', function () {
  this.timeout(120_000 + agentCount * 5_000);
  let stack: LocalStack;
  let hostile: Tenant;
  let other: Tenant;

  before(async () => {
    stack = await localStack();
    hostile = await newTenant(stack.database);
    other = await newTenant(stack.database);
    for (const unit of units) await addUnit(hostile, unit);
    await addUnit(other, 1);
    const client = metadataClient(stack.metadataUrl, hostile.metadataToken);
    for (const unit of units) {
      const change = {
        agent: { unit_id: unit },
        metadata: { custom: customOf(unit) },
        backdate_from: validFromUtcS,
      };
      const { status, body } = await client.put(change);
      expect(status, JSON.stringify(body)).to.equal(200);
    }
  });

  it('gets its metadata back byte for byte, from queries too', async () => {
    const client = metadataClient(stack.metadataUrl, hostile.metadataToken);
    const api = new DataApi(stack.queryUrl, hostile.dataToken);
    for (const unit of [1, agentCount]) {
      const { body } = await client.get(`/metadata/unit/${unit}`);
      expect(body.data).to.have.deep.property('custom', customOf(unit));
    }
    const splits = Object.keys(customOf(1)).slice(0, 3);
    await waitUntil(async () => {
      const { status, body } = await api.post('/metric_data', { ...everything, splits });
      if (status === 422) return false;
      expect(status).to.equal(200);
      const points = (body.data as { metricData: Record<string, unknown>[] }[]).flatMap(
        ({ metricData }) => metricData,
      );
      expect(points).to.have.length(agentCount);
      return points.every((point) => {
        const custom = customOf(Number(point.unit));
        return splits.every((name) => point[name] === custom[name]);
      });
    });
  });

  it('does not delay the changes and queries of another organisation', async () => {
    const client = metadataClient(stack.metadataUrl, other.metadataToken);
    const api = new DataApi(stack.queryUrl, other.dataToken);
    const change = { agent: { unit_id: 1 }, metadata: { custom: { plain: 'yes' } } };
    expect((await client.put(change)).status).to.equal(200);
    await waitUntil(async () => (await api.get('/filters/plain/values')).status === 200);
    expect((await api.get('/filters/plain/values')).body.data).to.deep.equal(['yes']);
    const splits = ((await api.get('/splits')).body.data as { id: string; custom?: boolean }[])
      .filter(({ custom }) => custom)
      .map(({ id }) => id);
    expect(splits).to.deep.equal(['plain']);
  });

  it('gets lists of its values in responses of bounded size', async () => {
    const api = new DataApi(stack.queryUrl, hostile.dataToken);
    for (const key of Object.keys(customOf(1)).slice(0, 3)) {
      const { status, body } = await api.get(`/filters/${encodeURIComponent(key)}/values?limit=5`);
      expect(status).to.equal(200);
      expect(body.data).to.have.length(Math.min(5, agentCount));
      expect(JSON.stringify(body.data).length).to.be.lessThan(20_000);
    }
  });

  async function addUnit({ organisationId }: Tenant, unitId: number): Promise<void> {
    const agent = { agentId: `box-${unitId}`, unitId };
    const agentKey = await addAgent(stack.database, organisationId, agent);
    await addDownloads(stack.clickhouse, organisationId, [{ ...agent, agentKey, dtime, mbps: 8 }]);
  }
});

const units = Array.from({ length: agentCount }, (_, i) => i + 1);

/** NUL and half of a surrogate pair are refused. */
const storableTexts = injectionCorpus.filter((text) => !/\0|\p{Surrogate}/u.test(text));

/** Each value begins with a hostile text and differs between agents. */
function customOf(unit: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    storableTexts.slice(0, keyCount).map((text, i) => {
      const value = `${storableTexts[(i + unit) % storableTexts.length]!} ${unit} `;
      return [`k${text}`, value.padEnd(valueLength, "x'\\é")];
    }),
  );
}
