import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import type { OrganisationAccess } from '../access/access-store.ts';
import type { Field } from '../../catalog/field.ts';
import { toQueryError } from '../execution/to-query-error.ts';
import { filterValues } from '../listing/filter-values.ts';
import { visibleFields } from '../listing/visible-catalog.ts';
import { namedKey } from '../request/resolve-field.ts';
import { suggestion } from '../request/suggestion.ts';
import { metadataWarnings } from './metadata-version.ts';
import { callerAccess, type QueryTools } from './query-tools.ts';

const defaultLimit = 100;

export function getFilterValues(tools: QueryTools): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const field = visibleField(req.params.id, await callerAccess(tools, res));
    const { search = '', limit = String(defaultLimit) } = req.query as Record<string, string>;
    const { organisationId } = callerOf(res);
    const values = await filterValues(tools, {
      organisationId,
      field,
      search,
      limit: Number(limit),
    }).catch((error: unknown) => {
      throw toQueryError(error, tools.config);
    });
    auditContextOf(res).cost.rows = values.length;
    sendOk(res, { data: values, warnings: metadataWarnings(res) });
  };
}

function visibleField(id: string, access: OrganisationAccess): Field {
  const fields = visibleFields(access).map(({ field }) => field);
  const customKey = namedKey(id);
  const found = fields.find(({ name, source }) =>
    source.kind === 'custom' ? source.key === customKey : name === id,
  );
  if (found !== undefined) return found;
  const names = fields.map(({ name }) => name);
  throw new AppError('NOT_FOUND', {
    publicMessage: `Unknown filter ${JSON.stringify(shortened(id))}. ${suggestion(id, names)}`,
  });
}
