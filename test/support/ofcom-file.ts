/** The headers of Ofcom's releases, as published or as a data frame wrote them. */
const ofcomHeaders = {
  2013: [
    'ID,Distance.band,Urban.rural,Market,ISP,Headline.speed,Technology',
    'Download.speed..Mbit.s..24.hour,Download.speed..Mbit.s..Max',
    'Download.speed..Mbit.s..8.10pm.weekday,Upload.speed..Mbit.s.24.hour',
    'Upload.speed..Mbit.s.Max,Upload.speed..Mbit.s.8.10pm.weekday',
    'DNS.resolution..ms.24.hour,DNS.failure....24.hour,DNS.resolution..ms.8.10pm.weekday',
    'DNS.failure....8.10pm.weekday,Jitter.up..ms.24.hour,Jitter.down..ms.24.hour',
    'Jitter.up..ms.8.10pm.weekday,Jitter.down..ms.8.10pm.weekday,Latency..ms.24.hour',
    'Packet.loss....24.hour,Latency..ms.8.10pm.weekday,Packet.loss....8.10pm.weekday',
    'Web.page..ms.24.hour,Web.page..ms.8.10pm.weekday,ISP.weights,Nat.weights',
  ].join(','),
  2014: [
    'Id,Distance.band,Distance.band.used.for.weighting,Urban.rural,Market,ISP,Technology',
    'LLU,Headline.speed,Download.speed..Mbit.s..24.hrs,Download.speed..Mbit.s..Max',
    'Download.speed..Mbit.s..8.10pm.weekday,Upload.speed..Mbit.s.24.hour',
    'Upload.speed..Mbit.s.Max,Upload.speed..Mbit.s.8.10pm.weekday',
    'DNS.resolution..ms.24.hour,DNS.failure....24.hour,DNS.resolution..ms.8.10pm.weekday',
    'DNS.failure....8.10pm.weekday,Jitter.up..ms.24.hour,Jitter.down..ms.24.hour',
    'Jitter.up..ms.8.10pm.weekday,Jitter.down..ms.8.10pm.weekday,Latency..ms.24.hour',
    'Packet.loss....24.hour,Latency..ms.8.10pm.weekday,Packet.loss....8.10pm.weekday',
    'Web.page..ms.24.hour,Web.page..ms.8.10pm.weekday,isp.weights,nat.weights',
  ].join(','),
  2015: [
    'unit_id,WT_national,WT_ISP,Valid_panel,Pack_number,Tech,Plusnet_upload,LLUvsNon',
    'MarketClass,URBAN2,Nation,Dist_ADSL1,Dist_ADSL2,DL24hrmean,DL24hrmax,DLpeakmean',
    'DLpeakmax,UL24hrmean,UL24hrmax,UL24hrmean_A,UL24hrmax_A,DNSFail24hr,DNSFailPeak',
    'DNSRTT24hr,DNSRTTPeak,JitterUp24hr,JitterUpPeak,JitterDown24hr,JitterDownPeak',
    'Latency24hr,LatencyPeak,PacketLoss24hr,PacketLossPeak,Web24hr,WebPeak,Disconnections',
    'YouTubeUHD24hr,YouTubeHD24hr,YouTubeSD24hr,YouTubeFailed24hr,YouTubeStartupDelay24hr',
    'YouTubeUHDPeak,YouTubeHDPeak,YouTubeSDPeak,YouTubeFailedPeak,YouTubeStartupDelayPeak',
    'NetflixUHD24hr,NetflixHD24hr,NetflixSD24hr,NetflixFailed24hr,NetflixStartupDelay24hr',
    'NetflixUHDPeak,NetflixHDPeak,NetflixSDPeak,NetflixFailedPeak,NetflixStartupDelayPeak',
    'iPlayerUHD24hr,iPlayerHD24hr,iPlayerSD24hr,iPlayerFailed24hr,iPlayerStartupDelay24hr',
    'iPlayerUHDPeak,iPlayerHDPeak,iPlayerSDPeak,iPlayerFailedPeak,iPlayerStartupDelayPeak',
  ].join(','),
  2021: [
    'unit_id,ISP,Technology,PACKAGE (download by upload),package_upload_speed,MarketClass',
    ' Distance from exchange - DSL only,Region,Country,Geography,Full package name',
    'Download - 24 (ave),Download - 24 min(ave),Download - 24 max (ave)',
    'Download - peak (ave),Download - peak min(ave),Download - peak max (ave)',
    'Download - 0-6am,Download - 6am-12am,Download - 12-18pm,Download - 18-19pm',
    'Download - 19-20pm,Download - 20-21pm,Download - 21-22pm,Download - 22-23pm',
    'Download - 23pm-00midnight,Upload - 24 (ave),Upload - 24 min(ave)',
    'Upload - 24 max (ave),Upload - peak (ave),Upload - peak min(ave)',
    'Upload - peak max (ave),DNS Failure 24hr,DNS Failure peak,DNS Rate - 24h',
    'DNS Rate - peak,Jitter-upstream - 24h,Jitter-upstream - peak,Jitter-downstream - 24h',
    'Jitter-downtream - peak,Latency - 24h,Latency - peak,Packet Loss - 24h',
    'Packet Loss - peak,Web loading - 24h,Web loading - peak,Disconnections',
    'YouTubeUHD24hr,YouTubeHD24hr,YouTubeSD24hr,YouTubeFailed24hr,YouTubeStartupDelay24hr',
    'YouTubeUHDPeak,YouTubeHDPeak,YouTubeSDPeak,YouTubeFailedPeak,YouTubeStartupDelayPeak',
    'NetflixUHD24hr,NetflixHD24hr,NetflixSD24hr,NetflixFailed24hr,NetflixStartupDelay24hr',
    'NetflixUHDPeak,NetflixHDPeak,NetflixSDPeak,NetflixFailedPeak,NetflixStartupDelayPeak',
    'iPlayerUHD24hr,iPlayerHD24hr,iPlayerSD24hr,iPlayerFailed24hr,iPlayerStartupDelay24hr',
    'iPlayerUHDPeak,iPlayerHDPeak,iPlayerSDPeak,iPlayerFailedPeak,iPlayerStartupDelayPeak',
    'DL24hr,DLpeak,UL24hr,ULpeak,DNS24hr,DNSpeak,Jitter24h,JitterPeak,Latency24h',
    'LatencyPeak,Web24hr,WebPeak,YouTube24hr,YouTubePeak,Netflix24hr,NetflixPeak',
    'iPlayer24hr,iPlayerPeak,mean_ping_ms_with_downstream_load',
    'median_ping_ms_with_downstream_load,national_weight,rural_weight,isp_weight',
  ].join(','),
  2023: [
    'panel,allocation_type,isp,technology,package_download_speed,package_upload_speed',
    'market_classification,distance_to_exchange_metres,max_attainable_mbps,region,country',
    'rurality,does_metadata_meet_qualification,does_data_meet_qualification',
    'Download - 24 (ave),Download - 24 min (ave),Download - 24 max (ave)',
    'Download - peak (ave),Download - peak min (ave),Download - peak max (ave)',
    'Download - 0-6am,Download - 6am-12am,Download - 12-18pm,Download - 18-19pm',
    'Download - 19-20pm,Download - 20-21pm,Download - 21-22pm,Download - 22-23pm',
    'Download - 23pm-00midnight,Upload - 24 (ave),Upload - 24 min(ave)',
    'Upload - 24 max (ave),Upload - peak (ave),Upload - peak min(ave)',
    'Upload - peak max (ave),DNS Failure 24hr,DNS Failure peak,DNS Rate - 24h',
    'DNS Rate - peak,Jitter-upstream - 24h,Jitter-upstream - peak,Jitter-downstream - 24h',
    'Jitter-downstream - peak,Latency - 24h,Latency - peak,Packet Loss - 24h',
    'Packet Loss - peak,mean_ping_ms_with_downstream_load',
    'median_ping_ms_with_downstream_load,mean_ping_ms_with_upstream_load',
    'median_ping_ms_with_upstream_load,Web loading - 24h,Web loading - peak',
    'Disconnections,YouTubeUHD24hr,YouTubeHD24hr,YouTubeSD24hr,YouTubeFailed24hr',
    'YouTubeStartupDelay24hr,YouTubeUHDPeak,YouTubeHDPeak,YouTubeSDPeak,YouTubeFailedPeak',
    'YouTubeStartupDelayPeak,NetflixUHD24hr,NetflixHD24hr,NetflixSD24hr,NetflixFailed24hr',
    'NetflixStartupDelay24hr,NetflixUHDPeak,NetflixHDPeak,NetflixSDPeak,NetflixFailedPeak',
    'NetflixStartupDelayPeak,DL24hr,DLpeak,UL24hr,ULpeak,DNS24hr,DNSpeak,Jitter24h',
    'JitterPeak,Latency24h,LatencyPeak,tests_DLPing24h,tests_ULPing24h,Web24hr,WebPeak',
    'YouTube24hr,YouTubePeak,Netflix24hr,NetflixPeak,package_for_weighting',
    'national_weight,rural_weight,isp_weight',
  ].join(','),
} as const;

export type OfcomYear = keyof typeof ofcomHeaders;

/** A file of the same shape as a release. Cells that are not given are blank. */
export function ofcomFile(
  year: OfcomYear,
  rows: readonly Readonly<Record<string, string | number>>[],
): string {
  const header = ofcomHeaders[year];
  const names = header.split(',');
  const lines = rows.map((row) => {
    const unknown = Object.keys(row).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Error(`${year} has no column ${unknown}`);
    return names.map((name) => row[name] ?? '').join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}
