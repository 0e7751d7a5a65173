/** One figure from a service's operations port, its series added up. */
export async function readOpsFigure(opsUrl: string, name: string): Promise<number> {
  const answer = await fetch(`${opsUrl}/metrics`);
  const lines = (await answer.text()).split('\n');
  const values = lines
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  if (values.length === 0) throw new Error(`${opsUrl} has no figure ${name}`);
  return values.reduce((sum, value) => sum + value, 0);
}
