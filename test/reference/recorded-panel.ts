import type { Agent, Panel, Period } from './panel.ts';

/** A period with the time in which it was known. The end is exclusive. */
export interface RecordedPeriod {
  readonly period: Period;
  readonly recordedAtMs: number;
  /** null: it is known now. */
  readonly supersededAtMs: number | null;
}

/** A panel whose history was changed: every period that was ever recorded. */
export interface RecordedPanel {
  /** Its agents have the history of the first change. */
  readonly panel: Panel;
  readonly records: ReadonlyMap<Agent, readonly RecordedPeriod[]>;
}

/** The panel with the history that was known at a moment. */
export function panelKnownAt({ panel, records }: RecordedPanel, momentMs: number): Panel {
  const agents = new Map(
    panel.agents.map((agent) => {
      const known = (records.get(agent) ?? []).filter(
        ({ recordedAtMs, supersededAtMs }) =>
          recordedAtMs <= momentMs && (supersededAtMs === null || momentMs < supersededAtMs),
      );
      return [agent, { ...agent, history: known.map(({ period }) => period) }];
    }),
  );
  const rows = Object.entries(panel.rows).map(([test, all]) => [
    test,
    all.map((row) => ({ ...row, agent: agents.get(row.agent)! })),
  ]);
  return { agents: [...agents.values()], rows: Object.fromEntries(rows) as Panel['rows'] };
}
