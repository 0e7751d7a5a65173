import type { Agent, Panel, Row, TestName } from '../reference/panel.ts';

/** The same results with all households always in one time zone. */
export function inZone(panel: Panel, timezone: string): Panel {
  const moved = new Map(panel.agents.map((agent) => [agent, movedAgent(agent, timezone)]));
  const rows = Object.entries(panel.rows).map(([test, testRows]) => [
    test,
    testRows.map((row): Row => ({ ...row, agent: moved.get(row.agent)! })),
  ]);
  return {
    agents: [...moved.values()],
    rows: Object.fromEntries(rows) as Record<TestName, Row[]>,
  };
}

function movedAgent(agent: Agent, timezone: string): Agent {
  const known = agent.history[0] ?? { isp: null, packageName: null, custom: {} };
  return { ...agent, history: [{ ...known, fromUtcS: null, untilUtcS: null, timezone }] };
}
