#!/usr/bin/env bash
# Subject:     npm sbom --omit dev
# Versions:    npm 11.19.1, semver 7.7.2, simple-update-notifier 2.0.0 (for development; it needs semver, too)
# Expectation: the bill of materials has what `npm ls --omit dev` lists: everything but packages that are only for development.
# Behaviour:   a dependency is missing, without a warning, if any package for development needs it as well, even a direct
#              dependency. So the SBOM of a service lacks what its tests happen to share. Without `devDependencies` in
#              package.json, after `npm ci --omit dev`, it is complete.
# Seen on 28 November 2026:
#              npm ls --omit dev: semver
#              npm sbom --omit dev: nothing
#              npm sbom without devDependencies: semver
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir tool project
(cd tool && npm init --yes >/dev/null && npm install --save-exact --ignore-scripts --no-audit --no-fund npm@11.19.1 >/dev/null)
npm="node $folder/tool/node_modules/npm/bin/npm-cli.js"
names='console.log(JSON.parse(require("node:fs").readFileSync(0, "utf8")).components.map(({ name }) => name).join(" ") || "nothing")'

cd project
cat >package.json <<'JSON'
{
  "name": "project",
  "version": "1.0.0",
  "dependencies": { "semver": "7.7.2" },
  "devDependencies": { "simple-update-notifier": "2.0.0" }
}
JSON
$npm install --package-lock-only --ignore-scripts --no-audit --no-fund >/dev/null
listed=$($npm ls --omit dev --package-lock-only | grep -o '[a-z-]*@7.7.2' | cut -d@ -f1)
omitted=$($npm sbom --sbom-format cyclonedx --omit dev --package-lock-only | node -e "$names")
$npm ci --omit dev --ignore-scripts --no-audit --no-fund >/dev/null
$npm pkg delete devDependencies
without=$($npm sbom --sbom-format cyclonedx | node -e "$names")
echo "npm ls --omit dev: $listed"
echo "npm sbom --omit dev: $omitted"
echo "npm sbom without devDependencies: $without"

if [ "$listed" = semver ] && [ "$omitted" = nothing ] && [ "$without" = semver ]; then
  echo 'The behaviour is the same.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
