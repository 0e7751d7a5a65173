/** Waiting work of several organisations. Each organisation with work has its turn before another has a second one. */
export class OrganisationQueue<T> {
  /** In the order of their turns. */
  readonly #queues = new Map<number, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(organisationId: number, item: T): void {
    const queue = this.#queues.get(organisationId) ?? new Set<T>();
    this.#queues.set(organisationId, queue.add(item));
    this.#size++;
  }

  remove(organisationId: number, item: T): void {
    const queue = this.#queues.get(organisationId);
    if (queue?.delete(item) !== true) return;
    this.#size--;
    if (queue.size === 0) this.#queues.delete(organisationId);
  }

  /** Takes the first item, of each organisation in turn, that `isNext` accepts. Undefined if it accepts none. */
  take(isNext: (item: T) => boolean = () => true): T | undefined {
    for (const [organisationId, queue] of this.#queues) {
      const [item] = queue;
      if (item === undefined || !isNext(item)) continue;
      this.remove(organisationId, item);
      // Its next turn is after those of the others.
      this.#queues.delete(organisationId);
      if (queue.size > 0) this.#queues.set(organisationId, queue);
      return item;
    }
    return undefined;
  }
}
