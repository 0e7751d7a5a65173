/** One metric of a service's ops port, summed over its series. */
export async function readOpsMetric(opsUrl: string, name: string): Promise<number> {
  const response = await fetch(`${opsUrl}/metrics`);
  const lines = (await response.text()).split('\n');
  const values = lines
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  if (values.length === 0) throw new Error(`${opsUrl} has no metric ${name}`);
  return values.reduce((sum, value) => sum + value, 0);
}
