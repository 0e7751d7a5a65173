import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { sendPage } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import type { OrganisationAccess } from '../access/access-store.ts';
import type { Field } from '../../catalog/field.ts';
import { toQueryError } from '../execution/to-query-error.ts';
import { filterValues } from '../listing/filter-values.ts';
import { valuesPath } from '../listing/listed-field.ts';
import { type VisibleField, visibleFilters } from '../listing/visible-catalog.ts';
import { parseTimeParameters } from '../request/fields/time.ts';
import { requireFloorOfField } from '../request/privacy-floor.ts';
import { namedKey } from '../request/resolve-field.ts';
import { suggestion } from '../request/suggestion.ts';
import { metadataWarnings } from './metadata-version.ts';
import { callerAccess, type QueryTools } from './query-tools.ts';
import { publicLink } from '../settings/public-url.ts';

const defaultLimit = 100;

export function getFilterValues(tools: QueryTools): RequestHandler<{ id: string }> {
  const { clickhouse, config } = tools;
  return async (req, res) => {
    const access = await callerAccess(tools, res);
    const { field, metrics } = visibleField(req.params.id, access);
    requireFloorOfField(access.minAgents, field, 'id');
    const parameters = req.query as Parameters;
    const { search = '', after, limit = String(defaultLimit) } = parameters;
    const time = parseTimeParameters(parameters, { now: tools.clock.now(), limits: config });
    const { organisationId } = callerOf(res);
    const wanted = { organisationId, field, metrics, time, search, after, limit: Number(limit) };
    const { values, hasMore } = await filterValues(clickhouse, wanted, config).catch(
      (error: unknown) => {
        throw toQueryError(error, config);
      },
    );
    auditContextOf(res).cost.rows = values.length;
    const next = publicLink(config, nextPath(field, parameters, values.at(-1) ?? ''));
    const warnings = metadataWarnings(res);
    await sendPage(res, hasMore ? next : undefined, { data: values, warnings });
  };
}

/** The contract allows each of them once. */
type Parameters = Readonly<
  Partial<Record<'search' | 'after' | 'limit' | 'from' | 'to', string>> & Record<string, unknown>
>;

function visibleField(id: string, access: OrganisationAccess): VisibleField {
  // With those that a privacy floor refuses, which is another error.
  const visible = visibleFilters({ ...access, minAgents: 0 });
  const customKey = namedKey(id);
  const found = visible.find(({ field: { name, source } }) =>
    source.kind === 'custom' ? source.key === customKey : name === id,
  );
  if (found !== undefined) return found;
  const names = visible.map(({ field }) => field.name);
  throw new AppError('NOT_FOUND', {
    publicMessage: `Unknown filter ${JSON.stringify(shortened(id))}. ${suggestion(id, names)}`,
  });
}

function nextPath(field: Field, { search, limit, from, to }: Parameters, after: string): string {
  const given = Object.entries({ search, limit, from, to, after }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${valuesPath(field)}?${new URLSearchParams(given).toString()}`;
}
