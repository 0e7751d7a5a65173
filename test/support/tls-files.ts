import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfSigned } from './self-signed-certificate.ts';

/** A folder like the mount of a Kubernetes secret of type kubernetes.io/tls. */
export interface TlsFolder {
  readonly settings: { readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string };
  /** Like the kubelet: writes a new folder, then replaces one symbolic link atomically. */
  put(pair: Pick<SelfSigned, 'cert' | 'key'>): Promise<void>;
  remove(): Promise<void>;
}

export async function tlsFolder(pair: Pick<SelfSigned, 'cert' | 'key'>): Promise<TlsFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'netpanel-tls-'));
  let version = 0;
  const put = async ({ cert, key }: Pick<SelfSigned, 'cert' | 'key'>) => {
    const name = `..version_${++version}`;
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'tls.crt'), cert);
    await writeFile(join(folder, name, 'tls.key'), key);
    await symlink(name, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  await put(pair);
  for (const file of ['tls.crt', 'tls.key']) {
    await symlink(join('..data', file), join(folder, file));
  }
  return {
    settings: {
      TLS_CERT_FILE: join(folder, 'tls.crt'),
      TLS_KEY_FILE: join(folder, 'tls.key'),
    },
    put,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
