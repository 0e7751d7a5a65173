/**
 * Licences of packages that may be shipped: those that ask for no more than to be named. A package
 * under another one is a decision to be made before it is added here.
 */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // argparse, which the validator's YAML reader brings along.
  'Python-2.0',
];
