const transfer = names(`
  target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time warmup_bytes
  sequence threads successes failures
`);
const roundTrips = names('target rtt_avg rtt_min rtt_max rtt_std successes failures');

/**
 * The columns of each test in the order of the FCC's data dictionary, for the files of July 2011 to August 2016,
 * which have no header. Some files have location_id at the end, and some have ddate after dtime.
 */
export const columnOrders = {
  httpget: [transfer],
  httppost: [transfer],
  ping: [roundTrips],
  latency: [roundTrips],
  udpcloss: [names('duration target address packets')],
  jitter: [
    names(`
      target packet_size stream_rate duration packets_up_sent packets_down_sent packets_up_recv
      packets_down_recv jitter_up jitter_down latency successes failures
    `),
  ],
  dns: [names('nameserver lookup_host response_ip rtt successes failures')],
  webget: [
    names(`
      target address fetch_time bytes_total bytes_sec objects threads requests connections
      reused_connections lookups request_total_time request_min_time request_avg_time
      request_max_time ttfb_total ttfb_min ttfb_avg ttfb_max lookup_total_time lookup_min_time
      lookup_avg_time lookup_max_time successes failures
    `),
    // July and August 2011.
    names('target fetch_time bytes_total bytes_sec objects successes failures'),
  ],
  traceroute: [
    names(`
      target address protocol hop hop_address hop_name sent received rtt_avg successes failures
    `),
  ],
  youtube: [
    names(`
      target downthrpt downjitter latency jitter buffer_underruns buffer_delay buffer_filltime
      duration bitrate buffer_size successes failures
    `),
  ],
  network_usage: [names('wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes')],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;

/** The names of the columns, which all files begin with `unit_id` and `dtime`. */
function names(text: string): readonly string[] {
  return ['unit_id', 'dtime', ...text.trim().split(/\s+/)];
}
