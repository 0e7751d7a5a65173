export interface ServiceFigures {
  readonly residentBytes: number;
  readonly startedAt: number;
}

/** What a service tells of its own process on the port for operators. */
export async function figures(opsUrl: string): Promise<ServiceFigures> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const value = (name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(name)) ?? '';
    return Number(line.split(' ').at(-1));
  };
  return {
    residentBytes: value('process_resident_memory_bytes'),
    startedAt: value('process_start_time_seconds'),
  };
}
