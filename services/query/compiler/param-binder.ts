import type { ParamValue, QueryParam, QueryParams } from './compiled-query.ts';

/** Numbers values in the order they are bound, so that one request always gives one text. */
export class ParamBinder {
  readonly #params: Record<string, QueryParam> = {};

  /** The placeholder to write into the text: `{p0:String}`. */
  bind(type: string, value: ParamValue): string {
    const name = `p${Object.keys(this.#params).length}`;
    this.#params[name] = { type, value };
    return `{${name}:${type}}`;
  }

  get params(): QueryParams {
    return { ...this.#params };
  }
}
