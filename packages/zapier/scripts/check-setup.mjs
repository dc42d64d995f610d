// Stops with one sentence where Node is too old or the build is missing: the tools that run next do not say so.
import { existsSync } from 'node:fs';

const NODE_MIN = 22;

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  stop(
    `The Zapier package needs Node ${NODE_MIN} or newer, and this is Node ${process.versions.node}. Install it from nodejs.org, or run ` +
      "npm run packages -- zapier in the project's folder, which brings its own Node.",
  );
}
if (process.argv.includes('--built') && !existsSync(new URL('../dist/index.js', import.meta.url))) {
  stop('The package is not built yet: run npm run build first.');
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
