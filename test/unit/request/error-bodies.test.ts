import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseMetadataChange } from '../../../services/metadata/request/parse-metadata-change.ts';
import { parseMetricQuery } from '../../../services/query/request/parse-metric-query.ts';
import { parseSavedView, parseViewName } from '../../../services/query/request/parse-saved-view.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { customLimitSettings } from '../../../services/registry/organisations/custom-limits.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';
import type { Warning } from '../../../services/shared/errors/warnings.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { parseContext } from '../../support/metric-request.ts';
import {
  changeFields,
  manyProblems,
  metricFields,
  replaced,
  testFields,
  values,
  viewFields,
  type WrongField,
} from './wrong-requests.ts';

// After an intended change of a message: UPDATE_GOLDEN=1 npm test -- unit/request/error-bodies, then review the diff.

type Parse = (body: unknown) => Promise<{ readonly warnings?: readonly Warning[] } | string>;

/** Packages of the organisation: `A:B`, and the ISP A. */
const findPackage = (name: string) => {
  if (!name.startsWith('A:')) return Promise.resolve('unknown isp' as const);
  if (name === 'A:') return Promise.resolve({ ispId: 1, packageId: null });
  return Promise.resolve(
    name === 'A:B' ? { ispId: 1, packageId: 2 } : ('unknown package' as const),
  );
};

const bodies: Readonly<Record<string, { fields: readonly WrongField[]; parse: Parse }>> = {
  metric_data: {
    fields: metricFields,
    parse: (body) => Promise.resolve().then(() => parseMetricQuery(body, parseContext)),
  },
  'metric_data of a token with a privacy floor': {
    fields: metricFields.filter(({ path: [name] }) =>
      ['chartType', 'splits', 'filters', 'minAgents'].includes(name as string),
    ),
    parse: (body) =>
      Promise.resolve().then(() =>
        parseMetricQuery(body, { ...parseContext, minAgents: 10, metrics: ['httpget'] }),
      ),
  },
  test_data: {
    fields: testFields,
    parse: (body) => Promise.resolve().then(() => parseTestQuery(body, parseContext)),
  },
  'POST views': {
    fields: viewFields,
    parse: (body) => Promise.resolve().then(() => JSON.stringify(parseSavedView(body))),
  },
  'PATCH views': {
    fields: viewFields,
    parse: (body) => Promise.resolve().then(() => parseViewName(body)),
  },
  'PUT metadata': {
    fields: changeFields,
    parse: async (body) => {
      const limits = readSettings(customLimitSettings, {});
      await parseMetadataChange(body, parseContext.now, findPackage, limits);
      return {};
    },
  },
};

describe('the response to an invalid request', () => {
  for (const [name, { fields, parse }] of Object.entries(bodies)) {
    it(`has the same status and body as before: ${name}`, async () => {
      const file = `test/unit/request/golden/${name.replaceAll(' ', '-')}.txt`;
      const path = join(repositoryRoot, file);
      const found = [
        `# Sent instead of an object\n${await outcomes(values, parse)}`,
        ...(await Promise.all(fields.map((field) => section(field, parse)))),
        `# Several problems\n${await severalProblems(fields, parse)}`,
      ].join('\n');
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, found);
      expect(found).to.equal(readFileSync(path, 'utf8'));
    });
  }
});

/** The values of one field, by the response to them. */
async function section(field: WrongField, parse: Parse): Promise<string> {
  const title = `# ${field.path.join('.')} in ${JSON.stringify(field.base)}\n`;
  return `${title}${await outcomes(values, (value) => parse(replaced(field, value)))}`;
}

async function outcomes(sent: readonly unknown[], parse: Parse): Promise<string> {
  const byResponse = new Map<string, string[]>();
  for (const value of sent) {
    const response = withoutValue(await responseTo(() => parse(value)), value);
    byResponse.set(response, [...(byResponse.get(response) ?? []), shown(value)]);
  }
  return [...byResponse].map(([text, sentBy]) => `${listed(sentBy)}\n${text}`).join('');
}

function listed(sent: readonly string[]): string {
  const others = sent.length - 6;
  return `${sent.slice(0, 6).join('  ')}${others > 0 ? `  and ${others} others` : ''}`;
}

/** Messages that repeat the sent value are the same for all values. */
function withoutValue(response: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return response
    .replaceAll(`(${text}). Must`, '(VALUE). Must')
    .replaceAll(`nknown metric "${text}"`, 'nknown metric "VALUE"')
    .replaceAll(`nknown field "${text}"`, 'nknown field "VALUE"')
    .replaceAll(`: ${text} is not a valid`, ': VALUE is not a valid');
}

async function severalProblems(fields: readonly WrongField[], parse: Parse): Promise<string> {
  const parts = manyProblems(fields, Math.min(100, fields.length * 5), 43).map(
    async (body) => `${shown(body)}\n${await responseTo(() => parse(body))}`,
  );
  return (await Promise.all(parts)).join('');
}

async function responseTo(parse: () => ReturnType<Parse>): Promise<string> {
  try {
    const parsed = await parse();
    if (typeof parsed === 'string') return lines(['accepted']);
    const { warnings = [] } = parsed;
    return lines(['accepted', ...warnings.map((warning) => JSON.stringify(warning))]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, code, publicMessage, errors = {} } = error;
    const messages = Object.entries(errors).flatMap(([path, texts]) =>
      texts.map((text) => `${path}: ${text}`),
    );
    return lines([`${status} ${code} ${publicMessage}`, ...messages]);
  }
}

function lines(texts: readonly string[]): string {
  // A file in UTF-8 cannot have lone surrogates.
  const printable = (text: string) =>
    text.replace(/[\0\p{Surrogate}]/gu, (character) => JSON.stringify(character));
  return texts.map((text) => `  ${printable(text)}\n`).join('');
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === 'string' && inner.length > 100) return `${inner.length} characters`;
    return Array.isArray(inner) && inner.length > 6 ? `${inner.length} items` : inner;
  });
}
