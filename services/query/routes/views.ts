import type { RequestHandler } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { parseSavedView, parseViewName } from '../request/parse-saved-view.ts';
import type { SavedViews } from '../views/saved-views.ts';

export function getViews(views: SavedViews): RequestHandler {
  return async (_req, res) => {
    const data = await views.list(callerOf(res));
    auditContextOf(res).cost.rows = data.length;
    await sendOk(res, { data });
  };
}

export function postView(views: SavedViews): RequestHandler {
  return async (req, res) => {
    const audit = auditContextOf(res);
    // Not the name and state, which can have ids of agents: an erasure could not find them in encoded text.
    audit.request = {};
    const data = await views.save(callerOf(res), parseSavedView(req.body));
    audit.request = { id: data.id };
    await sendOk(res, { data });
  };
}

export function getView(views: SavedViews): RequestHandler<{ id: string }> {
  return async (req, res) => {
    await sendOk(res, { data: await views.find(callerOf(res), req.params.id) });
  };
}

export function patchView(views: SavedViews): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { id } = req.params;
    // Not the name: see postView.
    auditContextOf(res).request = { id };
    await sendOk(res, { data: await views.rename(callerOf(res), id, parseViewName(req.body)) });
  };
}

export function deleteView(views: SavedViews): RequestHandler<{ id: string }> {
  return async (req, res) => {
    await views.remove(callerOf(res), req.params.id);
    await sendOk(res, { message: 'The view was deleted' });
  };
}
