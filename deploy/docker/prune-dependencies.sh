#!/bin/sh
# Removes from installed packages what no program loads: type declarations, source maps, documents and bundles for
# other module systems. Licence files stay.
#   prune-dependencies.sh node_modules
set -eu
cd "$1"

rm -rf @types
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.tsbuildinfo' \) -delete
find . -type f \( -iname 'readme*' -o -iname 'changelog*' -o -iname 'history.md' \) -delete
# /docs uses swagger-ui-bundle.js.
rm -f swagger-ui-dist/swagger-ui-es-bundle*.js
# Native code for another JavaScript runtime, Bare.
rm -rf bare-*/prebuilds
