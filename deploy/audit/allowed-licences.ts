/**
 * Licences of shipped packages: permissive ones that require only attribution. Adding another licence
 * needs a decision.
 */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // argparse, a dependency of the validator's YAML parser.
  'Python-2.0',
];
