/**
 * Finds rows of a file that have the key of an earlier row: the same agent, time, target and so on.
 * ClickHouse keeps the first. A hash table with 12 bytes per entry; when it has `maxKeys`, it starts
 * again with an empty one, so that memory stays constant.
 */
export class DuplicateKeys {
  readonly #maxKeys: number;
  #count = 0;
  #mask = 0;
  #keys1 = new Uint32Array(0);
  #keys2 = new Uint32Array(0);
  #contents = new Uint32Array(0);

  /** `slots`: of the first table, a power of two. */
  constructor(maxKeys = 4_000_000, slots = firstSlots) {
    this.#maxKeys = maxKeys;
    this.#resize(slots);
  }

  /** 0: a new key. 1: an earlier row has the key and the content. 2: it has the key only. */
  add(key1: number, key2: number, content: number): 0 | 1 | 2 {
    // 0 and 0 is an empty slot.
    const first = (key1 | (key2 === 0 ? 1 : 0)) >>> 0;
    const second = key2 >>> 0;
    let slot = first & this.#mask;
    while (this.#keys1[slot] !== 0 || this.#keys2[slot] !== 0) {
      if (this.#keys1[slot] === first && this.#keys2[slot] === second) {
        return this.#contents[slot] === content >>> 0 ? 1 : 2;
      }
      slot = (slot + 1) & this.#mask;
    }
    this.#keys1[slot] = first;
    this.#keys2[slot] = second;
    this.#contents[slot] = content;
    this.#count++;
    if (this.#count >= this.#maxKeys) this.#resize(firstSlots);
    else if (this.#count * 2 > this.#mask) this.#grow();
    return 0;
  }

  #resize(slots: number): void {
    this.#count = 0;
    this.#mask = slots - 1;
    this.#keys1 = new Uint32Array(slots);
    this.#keys2 = new Uint32Array(slots);
    this.#contents = new Uint32Array(slots);
  }

  #grow(): void {
    const [keys1, keys2, contents] = [this.#keys1, this.#keys2, this.#contents];
    this.#resize(2 * (this.#mask + 1));
    for (let slot = 0; slot < keys1.length; slot++) {
      if (keys1[slot] === 0 && keys2[slot] === 0) continue;
      this.add(keys1[slot] ?? 0, keys2[slot] ?? 0, contents[slot] ?? 0);
    }
  }
}

const firstSlots = 64 * 1024;
