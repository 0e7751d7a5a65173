import { context, type Context, type Link, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { recordError } from './record-error.ts';
import { tracer } from './traced.ts';

// What a span takes by default.
const maxLinks = 128;

/** Work that is done later, for several requests at once: a part of the first one's trace. */
export class DeferredWork {
  #askers: Context[] = [];

  /** To be called within the request that makes it necessary. */
  ask(): void {
    if (trace.getActiveSpan() !== undefined && this.#askers.length < maxLinks) {
      this.#askers.push(context.active());
    }
  }

  async traced<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [first = ROOT_CONTEXT, ...others] = this.#askers;
    this.#askers = [];
    return tracer.startActiveSpan(name, { links: linksTo(others) }, first, async (span) => {
      try {
        return await work();
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }
}

function linksTo(contexts: readonly Context[]): Link[] {
  return contexts.flatMap((one) => {
    const span = trace.getSpanContext(one);
    return span === undefined ? [] : [{ context: span }];
  });
}
