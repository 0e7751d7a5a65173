import { expect } from 'chai';
import { measureDownload } from '../../../deploy/local/sample/agent/measure-download.ts';
import { measureLatency } from '../../../deploy/local/sample/agent/measure-latency.ts';
import { startTestServer } from '../../../deploy/local/sample/agent/test-server.ts';

describe('the server that the sample agent measures against', () => {
  it('is as fast as a line, not as loopback', async function () {
    this.timeout(20_000);
    const server = await startTestServer({ downMbps: 80, rttMs: 6 });
    try {
      const { bytes_sec, successes } = await measureDownload(server, {
        warmupMs: 300,
        measureMs: 1_000,
      });
      expect(successes).to.equal(1);
      expect((bytes_sec * 8) / 1e6).to.be.within(4, 96);
      const { rtt_min } = await measureLatency(server, { packets: 5 });
      expect(rtt_min).to.be.at.least(5_000);
    } finally {
      server.close();
    }
  });
});
