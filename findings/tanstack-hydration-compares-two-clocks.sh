#!/usr/bin/env bash
# Subject:     `hydrate`, which `HydrationBoundary` uses to put queries that the server rendered into the query cache
# Versions:    @tanstack/query-core 5.108.0, Node.js 24
# Expectation: the newer data is shown: that of the server after another navigation, that of the browser after a later request.
# Behaviour:   the timestamp of the server's clock is compared with that of the browser's clock. Data that was invalidated while its
#              promise was being streamed counts as fresh once it arrives. Data of a page that is shown again fills an empty cache
#              as if it were current.
# Seen on 28 November 2026:
#              browser 1 minute ahead, newer data from the server: old
#              browser 1 minute behind, older data from the server: old
#              changed while streamed: old, invalidated: false, requests: 0
#              shown again after the cache was emptied: old, invalidated: false
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @tanstack/query-core@5.108.0 >> npm.log
cat > hydrate.mjs <<'JS'
import { dehydrate, hydrate, QueryClient, QueryObserver } from '@tanstack/query-core';

const queryKey = ['conversation'];
const MINUTE = 60_000;
const at = (ms) => ({ updatedAt: Date.now() + ms });
/** What a server sends that has this data. */
const served = (data, ms) => {
  const server = new QueryClient();
  server.setQueryData(queryKey, data, at(ms));
  return dehydrate(server);
};
const stateOf = (browser) => browser.getQueryState(queryKey);

// Both clocks show the same time here, so `MINUTE` moves the clock of the browser.
let browser = new QueryClient();
browser.setQueryData(queryKey, 'old', at(MINUTE - 1_000));
hydrate(browser, served('new', 0));
console.log(`browser 1 minute ahead, newer data from the server: ${stateOf(browser).data}`);

browser = new QueryClient();
browser.setQueryData(queryKey, 'new', at(-MINUTE + 1_000));
hydrate(browser, served('old', 0));
console.log(`browser 1 minute behind, older data from the server: ${stateOf(browser).data}`);

browser = new QueryClient();
const server = new QueryClient();
let send;
server.prefetchQuery({ queryKey, queryFn: () => new Promise((resolve) => { send = resolve; }) });
hydrate(browser, dehydrate(server, { shouldDehydrateQuery: () => true }));
let requests = 0;
const queryFn = async () => { requests += 1; return 'new'; };
new QueryObserver(browser, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
const invalidated = browser.invalidateQueries({ queryKey });
send('old');
await invalidated;
const { data, isInvalidated } = stateOf(browser);
console.log(`changed while streamed: ${data}, invalidated: ${isInvalidated}, requests: ${requests}`);

browser = new QueryClient();
const page = served('old', 0);
hydrate(browser, page);
browser.setQueryData(queryKey, 'new');
browser.clear();
hydrate(browser, page);
console.log(`shown again after the cache was emptied: ${stateOf(browser).data}, invalidated: ${stateOf(browser).isInvalidated}`);
JS
node hydrate.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(browser 1 minute\|changed while\|shown again\)/\1/p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
