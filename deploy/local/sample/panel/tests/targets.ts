/** Columns of a test against a measurement server: mostly the nearest one, some far away. */
export const targetColumns = {
  target: "if(is_far, 'global1.measure.example', near_server)",
  target_group: "if(is_far, 'global', 'regional')",
  address: addressOf('target_number', 'ip_version_used'),
} as const;

/** The values used by targetColumns. All rows of a run have the same server. */
export function targetValues(ipVersion: string): Readonly<Record<string, string>> {
  return {
    ip_version_used: ipVersion,
    is_far: 'intDiv(run_hash, 1000) % 10 = 0',
    target_number: 'if(is_far, 250, cityHash64(near_server) % 200 + 1)',
  };
}

/** An address reserved for documentation, such as 192.0.2.17 or 2001:db8::11. */
export function addressOf(number: string, ipVersion: string): string {
  return `if(${ipVersion} = 6, concat('2001:db8::', lower(hex(toUInt8(${number})))), concat('192.0.2.', toString(${number})))`;
}
