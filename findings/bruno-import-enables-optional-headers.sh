#!/usr/bin/env bash
# Subject:     import of an OpenAPI document by Bruno's command line
# Versions:    @usebruno/cli 4.1.0, Node.js 24
# Expectation: a parameter with `required: false` is imported switched off (`~name` in a .bru file).
# Behaviour:   it is imported switched on, with the document's example as its value. An `Idempotency-Key` with an example is
#              therefore the same in every request of the collection.
# Seen on 27 November 2026:
#              headers {
#                Idempotency-Key: 0f8f1d7c-6f0e-4c53-9a3b-2f1f8f3f6d0a
#              }
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Notes", "version": "1" },
  "servers": [{ "url": "http://localhost:9" }],
  "paths": {
    "/notes": {
      "post": {
        "summary": "Add a note",
        "tags": ["Notes"],
        "parameters": [
          {
            "in": "header",
            "name": "Idempotency-Key",
            "required": false,
            "schema": { "type": "string" },
            "example": "0f8f1d7c-6f0e-4c53-9a3b-2f1f8f3f6d0a"
          }
        ],
        "responses": { "201": { "description": "Created." } }
      }
    }
  }
}
JSON
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @usebruno/cli@4.1.0 >> npm.log
npx bru import openapi --source openapi.json --output . --collection-format bru > import.log
sed -n '/^headers {/,/^}/p' 'Notes/Notes/Add a note.bru' | tee headers
expected='headers {
  Idempotency-Key: 0f8f1d7c-6f0e-4c53-9a3b-2f1f8f3f6d0a
}'
[ "$(cat headers)" = "$expected" ] || { echo 'The behaviour has changed.' >&2; exit 1; }
