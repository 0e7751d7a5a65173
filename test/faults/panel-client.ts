import { expect } from 'chai';
import { assertDocumented } from '../support/assert-documented.ts';
import type { FaultPanel } from './fault-panel.ts';

/** The outcome of a request: a complete response, or a broken connection. */
export type Outcome =
  | { readonly kind: 'response'; readonly status: number; readonly body: Body }
  | { readonly kind: 'broken' };

interface Body {
  readonly code: string;
  readonly data?: unknown;
}

interface Series {
  readonly metricData: readonly {
    readonly 'custom.round'?: number | null;
    readonly sampleCount?: number;
  }[];
}

/** A client of both services that accepts only correct responses and documented errors. */
export class PanelClient {
  /** The last round whose PUT was acknowledged. */
  acknowledged = 0;
  /** The last round that was sent. It may not have been applied. */
  sent = 0;
  /** The last round in a query response. Later responses must not show an earlier round. */
  #lastSeen = 0;
  readonly #panel: FaultPanel;
  readonly #urls: { readonly queryUrl: string; readonly metadataUrl: string };

  constructor(panel: FaultPanel, urls: { queryUrl: string; metadataUrl: string }) {
    this.#panel = panel;
    this.#urls = urls;
  }

  /** Resolves with the round of all results, or undefined on an error. */
  async queryByRound(): Promise<number | undefined> {
    const seenBefore = this.#lastSeen;
    const outcome = await this.post('/metric_data', this.#panel.byRound);
    const series = dataOf(outcome) as readonly Series[] | undefined;
    if (series === undefined) return undefined;
    const seen = series.flatMap(({ metricData }) =>
      metricData.map((point) => [point['custom.round'], point.sampleCount]),
    );
    const round = seen[0]?.[0];
    expect(seen, 'a change is visible in part').to.deep.equal([[round, this.#panel.resultCount]]);
    expect(round).to.be.within(seenBefore, this.sent);
    this.#lastSeen = Math.max(this.#lastSeen, round!);
    return round!;
  }

  async streamRaw(): Promise<boolean> {
    const outcome = await this.post('/metric_data', this.#panel.raw);
    const series = dataOf(outcome) as readonly Series[] | undefined;
    if (series === undefined) return false;
    expect(series[0]?.metricData, 'a response is truncated').to.have.length(
      this.#panel.resultCount,
    );
    return true;
  }

  /** Resolves with true if the change was acknowledged. */
  async putRound(round: number): Promise<boolean> {
    this.sent = round;
    const body = JSON.stringify(this.#panel.change(round));
    const outcome = await this.#send(this.#urls.metadataUrl, 'PUT', '/metadata', body);
    if (outcome.kind === 'broken' || outcome.status !== 200) return false;
    this.acknowledged = round;
    return true;
  }

  /** The round of an agent, from its current metadata, which must be part of its history. */
  async roundOf(unit: number): Promise<number | undefined> {
    const path = `/metadata/unit/${unit}`;
    const now = await this.#send(this.#urls.metadataUrl, 'GET', path);
    const history = await this.#send(this.#urls.metadataUrl, 'GET', `${path}/history`);
    const current = dataOf(now) as Period | undefined;
    const periods = dataOf(history) as readonly Period[] | undefined;
    if (current === undefined || periods === undefined) return undefined;
    expect(periods.map(({ custom }) => custom)).to.deep.include(current.custom);
    return current.custom.round;
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Outcome> {
    return this.#send(this.#urls.queryUrl, 'POST', path, JSON.stringify(body), headers);
  }

  get(path: string): Promise<Outcome> {
    return this.#send(this.#urls.queryUrl, 'GET', path);
  }

  remove(path: string): Promise<Outcome> {
    return this.#send(this.#urls.queryUrl, 'DELETE', path);
  }

  async #send(
    url: string,
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Outcome> {
    const isMetadata = url === this.#urls.metadataUrl;
    const { dataToken, metadataToken } = this.#panel.tenant;
    let status: number;
    let text: string;
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: isMetadata ? `Bearer ${metadataToken}` : dataToken,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      status = reply.status;
      text = await reply.text();
    } catch {
      // The connection was refused, reset or closed early: no client takes that for a response.
      return { kind: 'broken' };
    }
    // A complete response must be valid JSON.
    const response = { status, body: JSON.parse(text) as Body };
    if (status < 300) return { kind: 'response', ...response };
    expect(status, text).to.be.oneOf([429, 503, 504]);
    await assertDocumented(isMetadata ? 'metadata.yaml' : 'query.yaml', {
      method,
      path,
      ...response,
    });
    return { kind: 'response', ...response };
  }
}

interface Period {
  readonly custom: { readonly round: number };
}

/** The data of a successful response; undefined otherwise. */
export function dataOf(outcome: Outcome): unknown {
  return outcome.kind === 'response' && outcome.status < 300 ? outcome.body.data : undefined;
}
