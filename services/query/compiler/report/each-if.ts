import { type Expression, sql } from '../../../shared/sql/expression.ts';

/** The object stays, with nulls: ClickHouse 25.8 has no Nullable(Map). */
export function eachIf(condition: string, numbers: Expression): Expression {
  return sql`mapApply(
    (name, number) -> (name, if(${condition}, number, NULL)),
    ${numbers})`;
}
