import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from './test-server.ts';

/** Columns of the test latency; round trips in microseconds. */
export interface Latency {
  readonly rtt_avg: number;
  readonly rtt_min: number;
  readonly rtt_max: number;
  readonly rtt_std: number;
  readonly successes: number;
  readonly failures: number;
}

/** Sends UDP packets and measures their round trips. A packet that is not back in time is lost. */
export async function measureLatency(
  { host, udpPort }: TestServer,
  { packets = 20, pauseMs = 20, timeoutMs = 500 } = {},
): Promise<Latency> {
  const socket = createSocket('udp4');
  const sentAtMs: number[] = [];
  const tripsUs: number[] = [];
  socket.on('message', (packet) => {
    const sentMs = sentAtMs[packet.readUInt32BE(0)];
    if (sentMs !== undefined) tripsUs.push((performance.now() - sentMs) * 1000);
  });
  for (let number = 0; number < packets; number++) {
    const packet = Buffer.alloc(64);
    packet.writeUInt32BE(number);
    sentAtMs[number] = performance.now();
    socket.send(packet, udpPort, host);
    await sleep(pauseMs);
  }
  if (tripsUs.length < packets) await sleep(timeoutMs);
  socket.close();
  const mean = tripsUs.reduce((sum, trip) => sum + trip, 0) / Math.max(1, tripsUs.length);
  const variance =
    tripsUs.reduce((sum, trip) => sum + (trip - mean) ** 2, 0) / Math.max(1, tripsUs.length);
  return {
    rtt_avg: Math.round(mean),
    rtt_min: Math.round(Math.min(...tripsUs, Infinity) === Infinity ? 0 : Math.min(...tripsUs)),
    rtt_max: Math.round(Math.max(0, ...tripsUs)),
    rtt_std: Math.round(Math.sqrt(variance)),
    successes: tripsUs.length,
    failures: packets - tripsUs.length,
  };
}
