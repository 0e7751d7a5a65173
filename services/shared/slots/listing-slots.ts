import { OrganisationSlots } from './organisation-slots.ts';

/** Listings are short: one that waits longer than this is one of too many. */
const maxWaitMs = 5_000;

/** Listings and other GET requests use the connections that all organisations share. */
export function listingSlots(config: { readonly maxRunningListings: number }): OrganisationSlots {
  return new OrganisationSlots('running listings', config.maxRunningListings, maxWaitMs);
}
