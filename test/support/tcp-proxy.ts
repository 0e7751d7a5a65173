import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a service and a store, and does to their connections what networks do. */
export interface TcpProxy {
  readonly port: number;
  /** The store's address with the proxy's in it. */
  readonly url: string;
  /** How many connections the present fault has met. */
  readonly struck: number;
  /** From now on, on every connection that has brought so many bytes more in that direction. */
  fault(fault: Fault): void;
  /** Lets everything through, what was held first. A connection that lost bytes stays dead. */
  heal(): void;
  stop(): Promise<void>;
}

export const directions = ['to the store', 'to the service'] as const;

type FaultKind = 'delay' | 'cut' | 'reset' | 'half-close' | 'swallow' | 'hold';
export type Direction = (typeof directions)[number];

export interface Fault {
  /**
   * delay       everything comes, late
   * cut         both sides see the connection end
   * reset       both sides see it reset
   * half-close  the receiving side sees it end, the other direction goes on
   * swallow     what comes is lost, and nobody is told
   * hold        nothing more comes until healed
   */
  readonly kind: FaultKind;
  readonly direction: Direction;
  /** 0, when left out: at once, also on connections that are idle. */
  readonly afterBytes?: number;
  readonly delayMs?: number;
}

interface Link {
  readonly sockets: Readonly<Record<Direction, { readonly from: Socket; readonly to: Socket }>>;
  /** Directions in which nothing passes any more. */
  readonly dead: Set<Direction>;
  /** Those of them whose end nobody is told of. */
  readonly swallows: Set<Direction>;
}

interface Rule extends Required<Fault> {
  readonly passedBytes: Map<Link, number>;
  readonly struck: Set<Link>;
  readonly held: (() => void)[];
}

export async function startTcpProxy(storeUrl: string): Promise<TcpProxy> {
  const url = new URL(storeUrl);
  const target = { host: url.hostname, port: Number(url.port), allowHalfOpen: true };
  const links = new Set<Link>();
  let rule: Rule | undefined;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const link = linkOf(client, connect(target));
    links.add(link);
    for (const direction of directions) {
      const { from, to } = link.sockets[direction];
      from.on('data', (chunk: Buffer) => pass(link, direction, chunk));
      from.on('end', () => link.dead.has(direction) || to.end());
      from.on('error', () => undefined);
      from.on('close', () => {
        if (to.destroyed) links.delete(link);
        // Only when the other side has got all that came before; of a black hole it learns nothing.
        else if (!link.swallows.has(direction)) to.destroySoon();
      });
    }
    if (rule?.afterBytes === 0) strike(link, rule, Buffer.alloc(0));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url.port = String(port);

  function pass(link: Link, direction: Direction, chunk: Buffer): void {
    if (link.dead.has(direction)) return;
    if (rule?.direction !== direction) {
      forward(link, direction, chunk);
      return;
    }
    const passed = rule.passedBytes.get(link) ?? 0;
    const allowed = Math.min(chunk.length, rule.afterBytes - passed);
    rule.passedBytes.set(link, passed + allowed);
    if (allowed > 0) forward(link, direction, chunk.subarray(0, allowed));
    if (allowed < chunk.length) strike(link, rule, chunk.subarray(allowed));
  }

  return {
    port,
    url: url.href.replace(/\/$/, ''),
    get struck() {
      return rule?.struck.size ?? 0;
    },
    fault: (fault) => {
      rule = {
        ...{ afterBytes: 0, delayMs: 200, passedBytes: new Map(), struck: new Set(), held: [] },
        ...fault,
      };
      if (rule.afterBytes > 0) return;
      for (const link of links) strike(link, rule, Buffer.alloc(0));
    },
    heal: () => {
      const held = rule?.held ?? [];
      rule = undefined;
      for (const letGo of held) letGo();
    },
    stop: async () => {
      for (const { sockets } of links) {
        for (const { from } of Object.values(sockets)) from.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function linkOf(service: Socket, store: Socket): Link {
  return {
    sockets: {
      'to the store': { from: service, to: store },
      'to the service': { from: store, to: service },
    },
    dead: new Set(),
    swallows: new Set(),
  };
}

function forward({ sockets }: Link, direction: Direction, chunk: Buffer): void {
  const { from, to } = sockets[direction];
  if (to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** What the fault does, when its time has come, to bytes that would have passed. */
function strike(link: Link, rule: Rule, rest: Buffer): void {
  const { kind, direction, delayMs, held } = rule;
  const { from, to } = link.sockets[direction];
  rule.struck.add(link);
  const later = () => {
    if (rest.length > 0) forward(link, direction, rest);
    from.resume();
  };
  if (kind === 'delay' || kind === 'hold') {
    // Nothing to stop yet: the bytes that come meet the fault themselves.
    if (rest.length === 0) return;
    from.pause();
    if (kind === 'hold') held.push(later);
    else setTimeout(later, delayMs);
    return;
  }
  link.dead.add(direction);
  if (kind === 'swallow') link.swallows.add(direction);
  if (kind === 'half-close') to.end();
  if (kind === 'reset') for (const socket of [from, to]) socket.resetAndDestroy();
  if (kind === 'cut') for (const socket of [from, to]) socket.destroySoon();
}
