// Exits with a clear message if Node is too old or the build is missing. The tools that run next report neither.
import { existsSync } from 'node:fs';

const NODE_MIN = 22;

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  stop(
    `The Zapier package needs Node ${NODE_MIN} or newer, and this is Node ${process.versions.node}. Install Node from nodejs.org, or run ` +
      "npm run packages -- zapier in the project's root folder, which uses the project's Node.",
  );
}
if (process.argv.includes('--built') && !existsSync(new URL('../dist/index.js', import.meta.url))) {
  stop('The package is not built yet. Run npm run build first.');
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
