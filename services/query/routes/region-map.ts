import type { RequestHandler } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { usableFields } from '../listing/visible-catalog.ts';
import { parseNewMap, requireKnownRegions } from '../region-map/parse-new-map.ts';
import { callerAccess, type QueryTools } from './query-tools.ts';
import { matchingTag, revalidated } from './send-data.ts';

/** Regions and outlines, or 304 if the client has them. */
export function getRegionMap({ regionMaps }: QueryTools): RequestHandler {
  return async (req, res) => {
    const { tag, field, regions } = await regionMaps.find(callerOf(res));
    res.set({ ...revalidated, ETag: weakTag(tag) });
    if (matchingTag(req.get('if-none-match') ?? '', tag) !== undefined) {
      res.status(304).end();
      return;
    }
    auditContextOf(res).cost.rows = regions.length;
    await sendOk(res, { data: { field, regions } });
  };
}

export function putRegionMap(tools: QueryTools): RequestHandler {
  return async (req, res) => {
    const audit = auditContextOf(res);
    // Not the borders.
    audit.request = {};
    const caller = callerOf(res);
    const access = await callerAccess(tools, res);
    const fields = usableFields({ ...access, minAgents: 0 }).map(({ field }) => field);
    const { field, property, regions } = parseNewMap(req.body, fields);
    audit.request = { field: field.name, property, regions: regions.length };
    const names = regions.map(({ name }) => name);
    const { organisationId } = caller;
    const unknownRegions = await requireKnownRegions(tools.knownValues, {
      organisationId,
      field,
      values: names,
    });
    const tag = await tools.regionMaps.save(caller, { field: field.name, regions });
    res.set('ETag', weakTag(tag));
    await sendOk(res, { data: { field: field.name, regions: regions.length, unknownRegions } });
  };
}

export function deleteRegionMap({ regionMaps }: QueryTools): RequestHandler {
  return async (_req, res) => {
    await regionMaps.remove(callerOf(res));
    await sendOk(res, { message: 'The map was deleted' });
  };
}

/** Weak, because it is the same for the compressed and the uncompressed response. */
function weakTag(tag: string): string {
  return `W/"${tag}"`;
}
