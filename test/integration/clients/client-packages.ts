/** Packages of PyPI for the tests of the Python package, its notebook and the documents. */
export const clientPackages: readonly string[] = [
  'pandas',
  'polars',
  'duckdb',
  'nbclient',
  'ipykernel',
  'setuptools>=70.1',
  'mypy',
];
