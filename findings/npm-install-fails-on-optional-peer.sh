#!/usr/bin/env bash
# Subject:     npm install in a project with better-auth and vitest
# Versions:    npm 11.19.1, better-auth 1.6.34, vitest 5.1.1
# Expectation: vitest is an optional peer dependency of better-auth, in versions before 5. npm installs both, or names the
#              conflict (ERESOLVE), as it does for other peers.
# Behaviour:   npm ends with an internal TypeError, also when another package is added later. `npm ci` with a lock file works,
#              and so does `npm install --legacy-peer-deps`.
# Seen on 27 November 2026:
#              npm error Cannot read properties of null (reading 'children')
#              with --legacy-peer-deps: exit 0
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir tool project
(cd tool && npm init --yes >/dev/null && npm install --save-exact --ignore-scripts --no-audit --no-fund npm@11.19.1 >/dev/null)
npm="node $folder/tool/node_modules/npm/bin/npm-cli.js"

cd project
echo '{"name":"project","private":true,"dependencies":{"better-auth":"1.6.34"},"devDependencies":{"vitest":"5.1.1"}}' >package.json
options='--package-lock-only --ignore-scripts --no-audit --no-fund'
plain=$($npm install $options 2>&1) && plainExit=0 || plainExit=$?
echo "$plain" | grep 'npm error' | head -n 1 || true
rm -f package-lock.json
$npm install $options --legacy-peer-deps >/dev/null 2>&1 && legacyExit=0 || legacyExit=$?
echo "with --legacy-peer-deps: exit $legacyExit"

if [ "$plainExit" -ne 0 ] && echo "$plain" | grep -q "reading 'children'" && [ "$legacyExit" -eq 0 ]; then
  echo 'The behaviour is the same.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
