import type { Random } from '../property/random.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { expectStatus, type RequestKind } from './request-kind.ts';

/** Valid requests of the metadata interface. */
export const metadataRequests: readonly RequestKind[] = [
  {
    name: 'GET metadata',
    weight: 15,
    run: async ({ metadata, units }, random) => {
      const path = `/metadata/unit/${random.pick(units)}`;
      expectStatus(await metadata.get(path), 200);
      expectStatus(await metadata.get(`${path}/history`), 200);
    },
  },
  {
    name: 'PUT metadata',
    weight: 6,
    run: async ({ metadata, units }, random) => {
      const change = {
        agent: { unit_id: random.pick(units) },
        metadata: random.pick(changes)(random),
        backdate_from: random.pick(backdates),
      };
      expectStatus(await metadata.put(change), 200);
    },
  },
];

/** Fixed, so that histories do not grow with the number of changes. */
const backdates = [3, 6, 9, 12, 15, 18, 21, 24].map(daysAgo) as [number, ...number[]];

type Change = (random: Random) => object;

const changes: [Change, ...Change[]] = [
  (random) => ({ timezone: random.pick(['Europe/London', 'Asia/Kathmandu', 'UTC']) }),
  (random) => ({ package: random.pick(['Northwave:Fibre 500', 'Northwave:Basic 10']) }),
  (random) => ({ custom: { tier: random.pick(['gold', 'silver', null]) } }),
];
