import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM, the format of TLS_CERT_FILE and TLS_KEY_FILE. */
  readonly cert: string;
  readonly key: string;
  readonly expiresAt: Date;
}

interface Options {
  /** The common name. Every certificate is for 127.0.0.1. */
  readonly name?: string;
  readonly validDays?: number;
}

/** A certificate for 127.0.0.1 with a new P-256 key. Node can read X.509 but not write it. */
export function selfSignedCertificate({
  name = 'netpanel',
  validDays = 30,
}: Options = {}): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const startsAt = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
  const expiresAt = new Date(startsAt.getTime() + validDays * 86_400_000);
  // RFC 5280, 4.1
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ecdsaWithSha256,
    distinguishedName(name),
    sequence(utcTime(startsAt), utcTime(expiresAt)),
    distinguishedName(name),
    publicKey,
    explicit(3, sequence(extension(subjectAltName, sequence(ipAddress(127, 0, 0, 1))))),
  );
  const signature = sign('sha256', toBeSigned, createPrivateKey(privateKey));
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bitString(signature));
  return { cert: pem('CERTIFICATE', certificate), key: privateKey, expiresAt };
}

// DER: a tag, a length, the content. https://letsencrypt.org/docs/a-warm-welcome-to-asn1-and-der/
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const explicit = (tag: number, content: Buffer) => der(0xa0 + tag, content);
const integer = (bytes: Buffer) => der(0x02, bytes);
const octetString = (bytes: Buffer) => der(0x04, bytes);
const bitString = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes);
/** An object identifier by its DER content: 2.5.4.3 is 55 04 03. */
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ipAddress = (...bytes: readonly number[]) => der(0x87, Buffer.from(bytes));

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const commonName = identifier('550403');
const subjectAltName = identifier('551d11');

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, octetString(value));
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
}

/** `261115035200Z`. Valid until 2049. */
function utcTime(at: Date): Buffer {
  const digits = at.toISOString().slice(2, 19).replace(/\D/g, '');
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** The first byte is 0x40: DER integers are signed and must not start with a zero byte. */
function serialNumber(): Buffer {
  return Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
