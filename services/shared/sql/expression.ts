/** SQL text with bound values. Text comes from the catalogue, values from requests. */
export type Expression = string | Param | readonly Expression[];

/** A bound value, printed as `{isp:Array(String)}`. */
export interface Param {
  /** The printer adds a number if two values have the same name. */
  readonly name: string;
  /** ClickHouse type. */
  readonly type: string;
  readonly value: ParamValue;
}

export type ParamValue = string | number | readonly string[] | readonly number[];

/** Template tag: sql`isp IN ${values}`. */
export function sql(texts: TemplateStringsArray, ...parts: readonly Expression[]): Expression {
  return texts.flatMap((text, i) => [text, ...parts.slice(i, i + 1)]);
}

export function param(name: string, type: string, value: ParamValue): Param {
  return { name, type, value };
}

export function isParam(expression: Expression): expression is Param {
  return typeof expression === 'object' && !Array.isArray(expression);
}
