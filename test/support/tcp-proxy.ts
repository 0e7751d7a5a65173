import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a service and a store that injects network faults. */
export interface TcpProxy {
  readonly port: number;
  /** The store's URL with the proxy's port. */
  readonly url: string;
  /** How many connections the current fault has affected. */
  readonly struck: number;
  /** Injects the fault on every connection after `afterBytes` more bytes in that direction. */
  fault(fault: Fault): void;
  /** Forwards held bytes and then everything else. A connection that lost bytes stays dead. */
  heal(): void;
  stop(): Promise<void>;
}

export const directions = ['to the store', 'to the service'] as const;

type FaultKind = 'delay' | 'cut' | 'reset' | 'half-close' | 'swallow' | 'hold';
export type Direction = (typeof directions)[number];

export interface Fault {
  /**
   * delay       all bytes arrive late
   * cut         the connection is closed on both sides
   * reset       the connection is reset on both sides
   * half-close  this direction is closed, the other stays open
   * swallow     bytes are dropped silently
   * hold        bytes wait until heal()
   */
  readonly kind: FaultKind;
  readonly direction: Direction;
  /** Default 0: at once, also on idle connections. */
  readonly afterBytes?: number;
  readonly delayMs?: number;
}

interface Link {
  readonly sockets: Readonly<Record<Direction, { readonly from: Socket; readonly to: Socket }>>;
  /** Directions that forward nothing any more. */
  readonly dead: Set<Direction>;
  /** Dead directions whose end is not forwarded either. */
  readonly swallows: Set<Direction>;
}

interface Rule extends Required<Fault> {
  readonly passedBytes: Map<Link, number>;
  readonly struck: Set<Link>;
  readonly held: (() => void)[];
}

/** `onMessage`: called for what a service sends, before it is forwarded. */
export async function startTcpProxy(
  storeUrl: string,
  onMessage: () => void = () => undefined,
): Promise<TcpProxy> {
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
        // Closes after all forwarded bytes were written. A swallowed direction stays open.
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
    if (direction === 'to the store') onMessage();
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
        afterBytes: 0,
        delayMs: 200,
        passedBytes: new Map(),
        struck: new Set(),
        held: [],
        ...fault,
      };
      if (rule.afterBytes > 0) return;
      for (const link of links) strike(link, rule, Buffer.alloc(0));
    },
    heal: () => {
      const held = rule?.held ?? [];
      rule = undefined;
      for (const release of held) release();
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

/** Applies the fault to a connection and to the bytes that were not forwarded. */
function strike(link: Link, rule: Rule, rest: Buffer): void {
  const { kind, direction, delayMs, held } = rule;
  const { from, to } = link.sockets[direction];
  rule.struck.add(link);
  const release = () => {
    if (rest.length > 0) forward(link, direction, rest);
    from.resume();
  };
  if (kind === 'delay' || kind === 'hold') {
    // No bytes to stop yet: pass() applies the fault to the next ones.
    if (rest.length === 0) return;
    from.pause();
    if (kind === 'hold') held.push(release);
    else setTimeout(release, delayMs);
    return;
  }
  link.dead.add(direction);
  if (kind === 'swallow') link.swallows.add(direction);
  if (kind === 'half-close') to.end();
  if (kind === 'reset') for (const socket of [from, to]) socket.resetAndDestroy();
  if (kind === 'cut') for (const socket of [from, to]) socket.destroySoon();
}
