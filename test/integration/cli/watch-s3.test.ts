import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { runNetpanel } from '../../support/netpanel.ts';
import { s3ClientOf, type S3Server, startS3 } from '../../support/s3-server.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';
import { startWatcher } from '../../support/watcher.ts';

describe('netpanel watch of a bucket', () => {
  const own = useLoadFolder();
  let s3: S3Server;
  let client: S3Client;
  let prefix: string;

  before(async () => {
    s3 = await startS3();
    client = s3ClientOf(s3);
  });
  beforeEach(() => {
    prefix = `${s3.settings.S3_PREFIX}${own.tenant.name}`;
  });
  after(async () => {
    client.destroy();
    await s3.stop();
  });

  const bucket = () => s3.settings.S3_BUCKET!;
  const put = (name: string, ...rows: readonly string[]) =>
    client.send(
      new PutObjectCommand({
        Bucket: bucket(),
        Key: `${prefix}${name}`,
        Body: ['unit_id,dtime,target', ...rows, ''].join('\n'),
      }),
    );
  const env = () => ({ ...own.stack.env, ...s3.settings });
  const watch = (...args: readonly string[]) =>
    runNetpanel(env(), [
      'watch',
      ...['--org', own.tenant.name, '--once'],
      ...args,
      `s3://${bucket()}/${prefix}`,
    ]);
  const units = async () => {
    const rows = await own.stored<{ unit_id: number }>('latency', 'unit_id');
    return rows.map(({ unit_id }) => unit_id);
  };

  it('loads each object below the prefix once, and again when its ETag changes', async () => {
    await put('/latency/a.csv', '1,2026-11-01 10:00:00,a');
    await put('/latency/a.csv.part', '8,2026-11-01 10:00:00,a');
    // Another prefix that begins with the same characters.
    await put('-other/latency/b.csv', '9,2026-11-01 10:00:00,a');
    const first = await watch();
    expect(first.code, first.stderr).to.equal(0);
    expect(await units()).to.deep.equal([1]);
    expect(await watch()).to.include({ code: 0, stdout: '' });

    await put('/latency/a.csv', '1,2026-11-01 10:00:00,a', '2,2026-11-01 11:00:00,a');
    expect((await watch()).stderr).to.include('2 rows read: 1 rows loaded, 1 already there');
    expect(await units()).to.deep.equal([1, 2]);
  });

  it('writes reject files to the folder of --rejects', async () => {
    const rejects = mkdtempSync(join(own.folder, 'rejects-'));
    await put('/latency/a.csv', '1,2026-11-01 10:00:00,a', '2,never,a');
    expect(await watch('--rejects', rejects)).to.include({ code: 0 });
    const written = readFileSync(join(rejects, 'latency%2Fa.csv.rejects.csv'), 'utf8');
    expect(written).to.include('3,dtime,never,');
  });

  it('loads objects as they appear, also when an object is removed', async () => {
    const args = ['--org', own.tenant.name, `s3://${bucket()}/${prefix}/`];
    const watcher = await startWatcher(env(), ...args);
    try {
      await put('/latency/a.csv', '1,2026-11-01 10:00:00,a');
      await watcher.logged('latency/a.csv: loaded');
      await client.send(
        new DeleteObjectCommand({ Bucket: bucket(), Key: `${prefix}/latency/a.csv` }),
      );
      await put('/latency/b.csv', '2,2026-11-01 11:00:00,a');
      await watcher.logged('latency/b.csv: loaded');
    } finally {
      expect(await watcher.stop('SIGTERM')).to.equal(0);
    }
    expect(await units()).to.deep.equal([1, 2]);
  });

  it('fails if the bucket does not exist', async () => {
    const args = ['watch', '--org', own.tenant.name, '--once', 's3://no-such-bucket/x'];
    const { code, stderr } = await runNetpanel(env(), args);
    expect(code).to.equal(1);
    expect(stderr).to.include('s3://no-such-bucket/x/ cannot be listed');
  });
});
