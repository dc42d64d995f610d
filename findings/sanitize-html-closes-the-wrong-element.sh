#!/usr/bin/env bash
# Subject:     `transformTags` of sanitize-html that renames an element to one of `nonTextTags`
# Versions:    sanitize-html 2.18.1, Node.js 24
# Expectation: an element that is renamed to a dropped one (`template`) vanishes with its text, and what follows is unchanged.
# Behaviour:   it vanishes, but the next kept element of the same depth is closed with the dropped name. A browser repairs
#              that, other readers of the output do not. `exclusiveFilter` drops elements without this.
# Seen on 27 November 2026:
#              <p>Hello</template>
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts sanitize-html@2.18.1 >> npm.log
cat > sanitize.mjs <<'JS'
import sanitizeHtml from 'sanitize-html';

const options = {
  nonTextTags: ['script', 'style', 'textarea', 'option', 'template'],
  transformTags: {
    '*': (tagName, attribs) => ('hidden' in attribs ? { tagName: 'template', attribs: {} } : { tagName, attribs }),
  },
};
console.log(sanitizeHtml('<div hidden>Preview</div><p>Hello</p>', options));
JS
node sanitize.mjs | tee seen
[ "$(cat seen)" = '<p>Hello</template>' ] || { echo 'The behaviour has changed.' >&2; exit 1; }
