import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '#server/core/log.ts';
import { limitRenders } from '#server/http/pages/limit-renders.ts';
import { receivePageBodies } from '#server/http/pages/receive-page-body.ts';
import { storeDocs } from '#server/http/pages/store-docs.ts';
import type { PageRenderer } from '#server/http/response/page-renderer.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { requestId, sendText } from '#server/http/response/send-json.ts';

/** Wraps Next: what a page costs is limited before Next sees the request. A refusal is shown to the person. */
export function servePages(render: PageRenderer): PageRenderer {
  const limited = storeDocs(receivePageBodies(limitRenders(render)));
  return async (req, res, page) => {
    try {
      await limited(req, res, page);
    } catch (error) {
      if (!(error instanceof RequestProblem) || res.headersSent) throw error;
      log().info({ requestId: requestId(res), status: error.requestProblem }, 'page.refused');
      sendProblem(req, res, error);
    }
  };
}

/** Sends the sentence: to scripts of an open page as text, to people as a page that loads again when it is worth it. */
function sendProblem(req: IncomingMessage, res: ServerResponse, problem: RequestProblem): void {
  const { requestProblem: status, message, retryAfterSeconds } = problem;
  const headers = { 'Cache-Control': 'no-store', ...problemHeaders(problem) };
  const isScript = req.headers['next-action'] !== undefined || req.headers.rsc !== undefined;
  // Next shows the text of a failed action only for exactly this type.
  if (isScript) {
    sendText(res, status, message, { 'Content-Type': 'text/plain', ...headers });
    return;
  }
  const reload =
    retryAfterSeconds !== undefined && req.method === 'GET'
      ? `<meta http-equiv="refresh" content="${retryAfterSeconds}">`
      : '';
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">${reload}<title>Try again</title></head><body><p>${message}</p></body></html>`;
  sendText(res, status, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    ...headers,
  });
}
