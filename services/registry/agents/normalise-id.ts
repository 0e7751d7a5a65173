/**
 * The form in which agent ids and MAC addresses are compared. Spellings of a MAC address are equal:
 * `00:1A:2B:3C:4D:5E`, `001a.2b3c.4d5e` and `001a2b3c4d5e`. Every other id is compared exactly, as
 * Unicode NFC: `site1-11` and `site11-1` are different agents.
 *
 * Postgres has the same function, normalise_id, which generates agent_id_normalised and
 * mac_address_normalised. A property test compares the two.
 */
export function normaliseId(id: string): string {
  return macLike.test(id) ? id.replace(/[:.-]/g, '').toLowerCase() : id.normalize('NFC');
}

/** `---` is not an id: it must contain a letter or digit of any script. */
export function isAgentId(id: string): boolean {
  return /[\p{L}\p{N}]/u.test(id);
}

/** 12 hexadecimal digits in groups of 2, 4 or 6 with one separator, or without any. */
const macLike =
  /^([0-9a-f]{12}|[0-9a-f]{2}([:.-])[0-9a-f]{2}(\2[0-9a-f]{2}){4}|[0-9a-f]{4}([:.-])[0-9a-f]{4}\4[0-9a-f]{4}|[0-9a-f]{6}[:.-][0-9a-f]{6})$/i;
