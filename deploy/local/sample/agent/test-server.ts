import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  readonly host: string;
  readonly httpPort: number;
  readonly udpPort: number;
  close(): void;
}

/** A server to measure against: GET sends bytes until the client has enough, UDP packets are returned. */
export async function startTestServer(): Promise<TestServer> {
  const host = '127.0.0.1';
  const chunk = Buffer.alloc(256 * 1024, 'netpanel');
  const http = createServer((_req, res) => {
    const send = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', send);
    send();
  });
  const udp = createSocket('udp4');
  udp.on('message', (packet, { port, address }) => udp.send(packet, port, address));
  await Promise.all([
    new Promise<void>((resolve) => http.listen(0, host, resolve)),
    new Promise<void>((resolve) => udp.bind(0, host, resolve)),
  ]);
  return {
    host,
    httpPort: (http.address() as AddressInfo).port,
    udpPort: udp.address().port,
    close: () => {
      http.close();
      http.closeAllConnections();
      udp.close();
    },
  };
}
