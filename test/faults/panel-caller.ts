import { expect } from 'chai';
import { conforms } from '../support/conforms.ts';
import type { FaultPanel } from './fault-panel.ts';

/** What a caller got: an answer, or a connection that broke and cannot be taken for one. */
export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Body }
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

/** Asks both services about a panel, and lets nothing pass that is neither right nor an honest error. */
export class PanelCaller {
  /** The last round whose PUT was acknowledged. */
  acknowledged = 0;
  /** The last one that was sent; it may or may not have become true. */
  sent = 0;
  /** The last one that a query has shown: later ones show no earlier round. */
  #shown = 0;
  readonly #panel: FaultPanel;
  readonly #urls: { readonly queryUrl: string; readonly metadataUrl: string };

  constructor(panel: FaultPanel, urls: { queryUrl: string; metadataUrl: string }) {
    this.#panel = panel;
    this.#urls = urls;
  }

  /** Resolves with the round that all results were in, or undefined for an error. */
  async queryByRound(): Promise<number | undefined> {
    const shownBefore = this.#shown;
    const outcome = await this.post('/metric_data', this.#panel.byRound);
    const series = dataOf(outcome) as readonly Series[] | undefined;
    if (series === undefined) return undefined;
    const seen = series.flatMap(({ metricData }) =>
      metricData.map((point) => [point['custom.round'], point.sampleCount]),
    );
    const round = seen[0]?.[0];
    expect(seen, 'half a change is visible').to.deep.equal([[round, this.#panel.resultCount]]);
    expect(round).to.be.within(shownBefore, this.sent);
    this.#shown = Math.max(this.#shown, round!);
    return round!;
  }

  async streamRaw(): Promise<boolean> {
    const outcome = await this.post('/metric_data', this.#panel.raw);
    const series = dataOf(outcome) as readonly Series[] | undefined;
    if (series === undefined) return false;
    expect(series[0]?.metricData, 'an answer is cut short').to.have.length(this.#panel.resultCount);
    return true;
  }

  /** True when it was acknowledged. */
  async putRound(round: number): Promise<boolean> {
    this.sent = round;
    const body = JSON.stringify(this.#panel.change(round));
    const outcome = await this.#send(this.#urls.metadataUrl, 'PUT', '/metadata', body);
    if (outcome.kind === 'broken' || outcome.status !== 200) return false;
    this.acknowledged = round;
    return true;
  }

  /** The round of an agent, by its metadata and by the last stretch of its history. */
  async roundOf(unit: number): Promise<number | undefined> {
    const path = `/metadata/unit/${unit}`;
    const now = await this.#send(this.#urls.metadataUrl, 'GET', path);
    const history = await this.#send(this.#urls.metadataUrl, 'GET', `${path}/history`);
    const current = dataOf(now) as Stretch | undefined;
    const stretches = dataOf(history) as readonly Stretch[] | undefined;
    if (current === undefined || stretches === undefined) return undefined;
    expect(stretches.map(({ custom }) => custom)).to.deep.include(current.custom);
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
      // Refused, reset, or ended before its end: nobody takes it for an answer.
      return { kind: 'broken' };
    }
    // A whole answer that does not parse throws here, as it should.
    const answer = { status, body: JSON.parse(text) as Body };
    if (status < 300) return { kind: 'answer', ...answer };
    expect(status, text).to.be.oneOf([429, 503, 504]);
    await conforms(isMetadata ? 'metadata.yaml' : 'query.yaml', method, path, answer);
    return { kind: 'answer', ...answer };
  }
}

interface Stretch {
  readonly custom: { readonly round: number };
}

/** What an answer brought; undefined for an error. */
export function dataOf(outcome: Outcome): unknown {
  return outcome.kind === 'answer' && outcome.status < 300 ? outcome.body.data : undefined;
}
